"""Reads a JSON list of C# programs. Prints the first error of syntax in each, its line and text, or null."""

import json
import sys

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Parser

parser = Parser(Language(tree_sitter_c_sharp.language()))


def first_error(node: Node) -> str | None:
    if node.is_error or node.is_missing:
        line = node.start_point[0] + 1
        return f"{line}: {(node.text or b'').decode()}"
    return next((error for child in node.children if (error := first_error(child))), None)


programs: list[str] = json.load(sys.stdin)
print(json.dumps([first_error(parser.parse(text.encode()).root_node) for text in programs]))
