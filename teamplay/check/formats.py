"""Reports for other programs: JSON, annotations of GitHub, SARIF 2.1.0."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from teamplay import __version__
from teamplay.check.codes import CODES
from teamplay.check.findings import Finding
from teamplay.check.report import Report
from teamplay.language.allows import allows
from teamplay.language.diagnostics import CODES as ERRORS
from teamplay.language.diagnostics import Diagnostic, Edit

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(reports: Sequence[Report]) -> dict[str, Any]:
    """All reports for scripts."""
    return {"findings": sum(len(report.findings) for report in reports), "files": [_file(one) for one in reports]}


def _file(report: Report) -> dict[str, Any]:
    return {
        "path": report.source.path,
        "error": report.error or None,
        "games": list(report.games),
        "findings": [finding_json(one) for one in report.findings],
        "allowed": [finding_json(one) for one in report.allowed],
        "scope": list(report.scope),
    }


def finding_json(one: Diagnostic) -> dict[str, Any]:
    """One finding; lines and columns from 1, `end` is the column after the last."""
    return {
        "code": one.code,
        "level": one.severity,
        "line": one.span.line,
        "column": one.span.column,
        "end": one.span.end,
        "message": one.message,
        "label": one.label,
        "notes": list(one.notes),
        "help": one.help,
        "exact": one.exact if isinstance(one, Finding) else True,
        "basis": one.basis if isinstance(one, Finding) else "",
        "fix": [vars(edit) for edit in one.fix] or None,
    }


def as_github(reports: Sequence[Report]) -> Iterator[str]:
    """One workflow command for each finding, which GitHub shows beside the line."""
    for report in reports:
        if report.error:
            yield f"::error file={_escaped(report.source.path, ':,')}::{_escaped(report.error)}"
        for one in report.findings:
            level = "notice" if one.severity == "note" else one.severity
            where = {"file": report.source.path, "line": one.span.line, "endLine": one.span.line}
            where |= {"col": one.span.column, "endColumn": max(one.span.column, one.span.end - 1), "title": one.code}
            fields = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in where.items())
            yield f"::{level} {fields}::{_escaped(_text(one))}"


def _escaped(text: str, also: str = "") -> str:
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{also}" else sign for sign in text)


def _text(one: Diagnostic) -> str:
    """A finding in one paragraph."""
    help = f"help: {one.help}" if one.help else ""
    return "\n".join(filter(None, [one.message, one.label, *one.notes, help]))


def as_sarif(reports: Sequence[Report]) -> dict[str, Any]:
    """A log of one run."""
    titles = ERRORS | CODES
    codes = sorted(titles)
    rules = [{"id": code, "shortDescription": {"text": titles[code]}} for code in codes]
    results = []
    for report in reports:
        reasons = {(allow.code, allow.line): allow.reason for allow in allows(report.source.text)}
        results += [_result(report, one, codes) for one in report.findings]
        for one in report.allowed:
            silenced = {"kind": "inSource", "justification": reasons[one.code, one.span.line]}
            results.append(_result(report, one, codes) | {"suppressions": [silenced]})
    driver = {"name": "teamplay", "version": __version__, "rules": rules}
    errors = [{"level": "error", "message": {"text": report.error}} for report in reports if report.error]
    invocation = {"executionSuccessful": not errors, "toolExecutionNotifications": errors}
    run: dict[str, Any] = {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints"}
    run["results"] = results
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(report: Report, one: Diagnostic, codes: Sequence[str]) -> dict[str, Any]:
    path = Path(report.source.path)
    artifact = {"uri": path.as_uri() if path.is_absolute() else quote(str(path))}
    region = {"startLine": one.span.line, "startColumn": one.span.column, "endColumn": one.span.end}
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": codes.index(one.code),
        "level": one.severity,
        "message": {"text": _text(one)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
    if one.fix:
        change = {"artifactLocation": artifact, "replacements": [_replacement(edit) for edit in one.fix]}
        result["fixes"] = [{"description": {"text": one.help or "fix it"}, "artifactChanges": [change]}]
    return result


def _replacement(edit: Edit) -> dict[str, Any]:
    region = {"startLine": edit.line, "startColumn": edit.column, "endLine": edit.end_line, "endColumn": edit.end}
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}
