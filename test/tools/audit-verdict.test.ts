import { expect, test } from 'vitest'
import { auditVerdict } from '../../tools/supply/audit-verdict.ts'

const report = (...severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(severities.map((severity, n) => [`p${n}`, { name: `p${n}`, severity }])),
  })

test.each([
  ['a grave one fails', report('low', 'high'), '', true, 'known vulnerabilities: p1 (high)'],
  ['lesser ones are counted', report('low', 'moderate'), '', false, 'no grave vulnerability is known; 2 lesser ones'],
  ['no registry', '{"message":"405 Method Not Allowed"}', '', false, /^skipped: .*405/],
  ['no network', '', 'npm error network\n', false, /^skipped: .*network/],
] as const)('%s', (_case, stdout, stderr, failed, sentence) => {
  const verdict = auditVerdict(stdout, stderr)
  expect(verdict.failed).toBe(failed)
  expect(verdict.sentence).toMatch(sentence)
})
