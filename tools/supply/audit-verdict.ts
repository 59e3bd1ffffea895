/** Severities that fail the lane. */
const GRAVE = ['high', 'critical']

type Report = {
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>
  readonly message?: string
}

/** Judges the output of `npm audit --json`; without an answer of the registry nothing is known, and nothing failed. Pure. */
export function auditVerdict(stdout: string, stderr: string): { readonly failed: boolean; readonly sentence: string } {
  const report = parsed(stdout)
  if (report?.vulnerabilities === undefined) {
    const reason = report?.message ?? stderr.trim().split('\n')[0]
    return { failed: false, sentence: `skipped: the registry did not answer: ${reason || 'no output'}` }
  }
  const found = Object.values(report.vulnerabilities)
  const grave = found.filter(({ severity }) => GRAVE.includes(severity))
  if (grave.length === 0)
    return { failed: false, sentence: `no grave vulnerability is known; ${found.length} lesser ones` }
  const named = grave.map(({ name, severity }) => `${name} (${severity})`)
  return { failed: true, sentence: `known vulnerabilities: ${named.join(', ')}` }
}

function parsed(text: string): Report | null {
  try {
    return JSON.parse(text) as Report
  } catch {
    return null
  }
}
