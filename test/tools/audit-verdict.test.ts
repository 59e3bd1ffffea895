import { expect, test } from 'vitest'
import { auditVerdict } from '../../tools/supply/audit-verdict.ts'

const report = (...severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(severities.map((severity, n) => [`p${n}`, { name: `p${n}`, severity }])),
  })

test.each([
  ['a grave one fails', report('low', 'high'), '', 1, 'known vulnerabilities: p1 (high)'],
  ['lesser ones are counted', report('low', 'moderate'), '', 0, 'no grave vulnerability is known; 2 lesser ones'],
  ['no registry', '{"message":"405 Method Not Allowed"}', '', 2, /^not checked: .*405.*again/],
  ['no network', '', 'npm error network\n', 2, /^not checked: .*network/],
] as const)('%s', (_case, stdout, stderr, exit_code, sentence) => {
  const verdict = auditVerdict(stdout, stderr)
  expect(verdict.exit_code).toBe(exit_code)
  expect(verdict.sentence).toMatch(sentence)
})
