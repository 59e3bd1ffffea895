"""Runs every cell of a notebook in a fresh kernel and writes it with what the cells gave.

usage: python run_notebook.py NOTEBOOK OUT
    The kernel works in the current folder. OUT may be NOTEBOOK: its stored outputs are then made anew.
    A cell that fails ends the run with its traceback and exit code 1; OUT is not written then.
"""

import sys

import nbformat
from nbclient import NotebookClient


def main(source: str, out: str) -> None:
    notebook = nbformat.read(source, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False, resources={"metadata": {"path": "."}}).execute()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    nbformat.write(notebook, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
