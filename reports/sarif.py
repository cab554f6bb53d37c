"""Findings of `experiments.lint` in SARIF 2.1.0, the format that code review tools read."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import quote

_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(found: Mapping[str, Any], source: str) -> dict[str, Any]:
    """One run with one result a finding.

    Args:
        found: What `experiments.lint.lint` returned.
        source: What was looked over as it was given: a file, a name or a canonical string.
    """
    codes = list(dict.fromkeys(each["code"] for each in found["findings"]))
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "simcore lint",
                        "version": version("simcore"),
                        "rules": [{"id": code, "help": {"text": f"docs/lint.md, section {code}"}} for code in codes],
                    }
                },
                "properties": {key: found[key] for key in ("ruleset", "games", "players", "seed", "strategies")},
                "results": [_result(each, source) for each in found["findings"]],
            }
        ],
    }


def _result(finding: Mapping[str, Any], source: str) -> dict[str, Any]:
    return {
        "ruleId": finding["code"],
        "level": _LEVELS[finding["severity"]],
        "message": {"text": finding["message"]},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": quote(source)}},
                "logicalLocations": [{"name": item, "kind": "member"} for item in finding["items"]],
            }
        ],
        "properties": {key: finding[key] for key in ("rules", "evidence", "data")},
    }
