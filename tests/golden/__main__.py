"""Renew the golden drawings; look at the difference before it is kept."""

from tests.golden import HERE, figures, golden

for figure in figures():
    for name, text in golden(figure).items():
        (HERE / name).write_text(text, encoding="utf-8")
        print(f"tests/golden/{name}")
