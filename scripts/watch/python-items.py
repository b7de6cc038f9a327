"""Lists what the modules of a package send and accept, from their syntax trees. Imports nothing of the package.

Arguments: the folder of the package, then patterns of the files whose keys and values count as well.
"""

import ast
import fnmatch
import json
import pathlib
import re
import sys

PATH = re.compile(r"^/?(v\d+|api|threads|runs|assistants|store|deployments|info|ok)(/[\w{}.:-]+)*/?(\?.*)?$")
HEADER = re.compile(r"^x-[a-z][a-z-]+$", re.IGNORECASE)
VARIABLE = re.compile(r"^(LANGSMITH|LANGGRAPH|LANGCHAIN)_[A-Z_]+$")
KEY = re.compile(r"^[A-Za-z_][\w-]*$")


def text_of(node):
    """Returns the text of a literal or of an f-string, with {} for its expressions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def everywhere(node):
    text = text_of(node)
    if text is None:
        return
    path = text.removeprefix("{}")
    if path.startswith("/") and PATH.match(path) and len(path) > 2:
        yield "path " + re.sub(r"\{[^}]*\}", "{}", path.split("?")[0]).rstrip("/")
    if HEADER.match(text):
        yield "header " + text.lower()
    if VARIABLE.match(text):
        yield "variable " + text


def in_selected(node):
    if isinstance(node, ast.Dict):
        for key in node.keys:
            if text_of(key) and KEY.match(text_of(key)):
                yield "key " + text_of(key)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and KEY.match(text_of(node.slice) or ""):
        yield "key " + text_of(node.slice)
    if isinstance(node, ast.ClassDef):
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                yield "key " + field.target.id
    if isinstance(node, ast.Subscript) and getattr(node.value, "id", getattr(node.value, "attr", "")) == "Literal":
        values = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for value in values:
            if text_of(value):
                yield "value " + text_of(value)


def nodes_of(tree):
    """Yields all nodes, but not the parts of f-strings, which are no texts of their own."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        children = ast.iter_child_nodes(node)
        is_text = isinstance(node, ast.JoinedStr)
        waiting.extend(child for child in children if not (is_text and isinstance(child, ast.Constant)))


def main(folder, *patterns):
    root = pathlib.Path(folder)
    items = set()
    for file in sorted(root.rglob("*.py")):
        name = file.relative_to(root).as_posix()
        is_selected = any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
        for node in nodes_of(ast.parse(file.read_bytes())):
            items.update(everywhere(node))
            if is_selected:
                items.update(in_selected(node))
    print(json.dumps(sorted(items)))


main(*sys.argv[1:])
