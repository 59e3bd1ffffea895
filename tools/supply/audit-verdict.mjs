/** Severities that fail the lane. */
const GRAVE = ['high', 'critical']

/** Judges the output of `npm audit --json`. Pure. */
export function auditVerdict(stdout, stderr) {
  const report = parsed(stdout)
  if (report?.vulnerabilities === undefined) {
    const reason = report?.message ?? report?.error?.summary ?? stderr.trim().split('\n')[0]
    return { failed: false, sentence: `skipped: the registry did not answer: ${reason || 'no output'}` }
  }
  const found = Object.values(report.vulnerabilities)
  const grave = found
    .filter(({ severity }) => GRAVE.includes(severity))
    .map(({ name, severity }) => `${name} (${severity})`)
  if (grave.length > 0) return { failed: true, sentence: `known vulnerabilities: ${grave.join(', ')}` }
  return { failed: false, sentence: `no grave vulnerability is known; ${found.length} lesser ones` }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
