// `npm run audit:packages`: asks the registry for known vulnerabilities of what package-lock.json names. Exits 1 when one is high or critical.
// Where no registry answers, it prints why and exits 0: a lane of a machine without a network is skipped, not failed.
import { auditVerdict } from './audit-verdict.ts'
import { runNpm } from './run-npm.ts'

const { stdout, stderr } = runNpm(['audit', '--package-lock-only', '--json'])
const { failed, sentence } = auditVerdict(stdout, stderr)
console.log(sentence)
process.exitCode = failed ? 1 : 0
