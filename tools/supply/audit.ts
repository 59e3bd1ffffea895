// `npm run audit:packages`: asks the registry for known vulnerabilities of what package-lock.json names. Exits 1 when one is high or critical,
// and 2 where no registry answers: nothing was checked, which is not the same as nothing found.
import { auditVerdict } from './audit-verdict.ts'
import { runNpm } from './run-npm.ts'

const { stdout, stderr } = runNpm(['audit', '--package-lock-only', '--json'])
const { exit_code, sentence } = auditVerdict(stdout, stderr)
console.log(sentence)
process.exitCode = exit_code
