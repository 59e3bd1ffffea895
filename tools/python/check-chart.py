"""Lints and renders the Helm chart, and checks each manifest against the schemas of Kubernetes.

Prints JSON: what lint finds, the kinds of each rendering, and which wrong values are refused.
Run by test/slow/deploy.test.ts with the packages of deploy.txt.
"""

import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

KUBERNETES = "1.34"
RENDERED = [
    {},
    {"api": {"count": 2}, "standby": {"enabled": False}},
    {
        "witness": {"enabled": True},
        "ingress": {"enabled": True, "tlsSecretName": "tls"},
        "trustedProxies": ["10.0.0.0/8"],
        "podAnnotations": {"a": "b"},
        "temporal": {"apiKeySecretName": "key"},
        "extraEnvironment": {"TIDEMARK_DEBUG": "1"},
    },
    {"witness": {"enabled": True, "only": True}},
]
# Wrong values by a word that the refusal must have.
WRONG = {
    "queues": {"workers": {"live": {"queues": ["other"], "schedules": True}}},
    "address": {"temporal": {"address": "without-a-port"}},
    "count": {"api": {"count": 0}},
    "trustedProxies": {"environment": "production", "ingress": {"enabled": True}},
    "unknown": {"unknown": 1},
}


def render(chart, values):
    files = chart.render(values, name="demo", namespace="prod").values()
    return [manifest for file in files for manifest in yaml.safe_load_all(file) if manifest]


def kinds_of(chart, values):
    manifests = render(chart, values)
    for manifest in manifests:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    return sorted(manifest["kind"] for manifest in manifests)


def is_refused(chart, word, values):
    try:
        render(chart, values)
    except helm.HelmError as error:
        return word in str(error)
    return False


def main(folder):
    messages = helm.lint(folder)["messages"]
    # 1 is advice, such as an icon.
    lint = [message["error"] for message in messages if message["severity"] > 1]
    with helm.Chart.load(folder) as chart:
        manifests = [kinds_of(chart, values) for values in RENDERED]
        refused = [word for word, values in WRONG.items() if is_refused(chart, word, values)]
    print(json.dumps({"lint": lint, "manifests": manifests, "refused": refused}))


if __name__ == "__main__":
    main(sys.argv[1])
