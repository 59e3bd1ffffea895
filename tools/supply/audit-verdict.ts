/** Severities that fail the lane. */
const GRAVE = ['high', 'critical']

type Report = {
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>
  readonly message?: string
}

/** Exit codes of the lane: nothing grave is known; something is; the registry did not answer, so that nothing is known. */
const EXIT = { clean: 0, grave: 1, unknown: 2 } as const

/** Judges the output of `npm audit --json`; without an answer of the registry nothing is known. Pure. */
export function auditVerdict(
  stdout: string,
  stderr: string,
): { readonly exit_code: 0 | 1 | 2; readonly sentence: string } {
  const report = parsed(stdout)
  if (report?.vulnerabilities === undefined) {
    const reason = report?.message ?? stderr.trim().split('\n')[0]
    const sentence = `not checked: the registry did not answer (${reason || 'no output'}); run it again where one does`
    return { exit_code: EXIT.unknown, sentence }
  }
  const found = Object.values(report.vulnerabilities)
  const grave = found.filter(({ severity }) => GRAVE.includes(severity))
  if (grave.length === 0)
    return { exit_code: EXIT.clean, sentence: `no grave vulnerability is known; ${found.length} lesser ones` }
  const named = grave.map(({ name, severity }) => `${name} (${severity})`)
  return { exit_code: EXIT.grave, sentence: `known vulnerabilities: ${named.join(', ')}` }
}

function parsed(text: string): Report | null {
  try {
    return JSON.parse(text) as Report
  } catch {
    return null
  }
}
