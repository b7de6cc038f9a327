"""`deploy.py up|preview|destroy` runs the Python program of this folder, with the Automation API."""

import runpy
import sys

from pulumi import automation

stack = automation.create_or_select_stack(
    "dev",
    project_name=automation.LocalWorkspace(work_dir=".").project_settings().name,
    program=lambda: runpy.run_path("__main__.py"),
    opts=automation.LocalWorkspaceOptions(work_dir="."),
)
getattr(stack, sys.argv[1])(on_output=print)
