"""What the tools of coding agents give back, and how far it can be believed."""

from __future__ import annotations

import re

from dream.sources.sessions.references import recalls_memory
from dream.sources.sessions.values import Role

EDITORS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
SHELLS = frozenset(
    {
        "Bash",
        "Execute",
        "PowerShell",
        "Shell",
        "bash",
        "execute_command",
        "exec_command",
        "local_shell",
        "run_command",
        "run_shell_command",
        "run_terminal_cmd",
        "shell",
        "shell_command",
        "task_shell_start",
        "terminal",
    }
)
POLLS = frozenset({"BashOutput", "TaskOutput"})
"""Tools that ask what became of a task that was left running."""

QUESTIONS = "AskUserQuestion"
_AGENTS = frozenset({"Task", "Agent", "TaskOutput", "AgentOutputTool"})
_OF_A_COMMAND = re.compile(
    r"<retrieval_status>[a-z_]{1,40}</retrieval_status>\s{1,4}<task_id>[^<>]{1,80}</task_id>\s{1,4}"
    r"<task_type>local_bash</task_type>"
)
_BOOKKEEPING = frozenset(
    {
        "TodoWrite",
        "TodoRead",
        "TaskCreate",
        "TaskUpdate",
        "TaskList",
        "TaskGet",
        "TaskStop",
        "Skill",
        "SlashCommand",
        "ToolSearch",
        "EnterPlanMode",
        "ExitPlanMode",
        "EnterWorktree",
        "ExitWorktree",
        "SendMessage",
        "TeamCreate",
        "TeamDelete",
        "update_plan",
        QUESTIONS,
    }
)
_REFUSALS = ("The user doesn't want to ", "<tool_use_error>", "User rejected ", "[Request interrupted by user")

LONGEST_CALL = 200
"""Characters of a call in one line."""


def role_of_output(tool: str, call: str, output: str) -> Role:
    """Return whose words the output of a tool call is.

    A subagent's report is an agent's, what is told of a command that was left running the command's; what the harness
    answers itself is the harness's; what agents are told to remember is recalled. Only the rest is captured output.
    """
    if tool in _AGENTS:
        return Role.TOOL if _OF_A_COMMAND.match(output) else Role.AGENT
    if tool in _BOOKKEEPING or output.startswith(_REFUSALS):
        return Role.HARNESS
    return Role.RECALLED if recalls_memory(tool, call) else Role.TOOL


def kept_output(tool: str, output: str) -> str:
    """Return what of an output is the tool's own: below its first line an editor repeats what the agent wrote."""
    return output.split("\n", 1)[0] if tool in EDITORS else output


def brief_call(tool: str, details: str) -> str:
    """Return a call in one line of at most LONGEST_CALL characters, shorter with whole words: `Bash: make test`."""
    line = f"{tool}: {details}" if details else tool
    words = line[: 2 * LONGEST_CALL].split()
    brief = " ".join(words)[:LONGEST_CALL]
    return brief if len(brief) == LONGEST_CALL or len(line) <= 2 * LONGEST_CALL else " ".join(words[:-1])
