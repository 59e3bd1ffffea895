// `npm run sbom`: writes reports/sbom.json, a CycloneDX bill of materials made from package-lock.json alone, without a network.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runNpm } from './run-npm.ts'

const FILE = join('reports', 'sbom.json')
const { status, stdout, stderr } = runNpm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'])
if (status === 0) {
  const { components } = JSON.parse(stdout)
  mkdirSync(join(ROOT, 'reports'), { recursive: true })
  writeFileSync(join(ROOT, FILE), stdout)
  console.log(`${FILE}: ${components.length} packages`)
} else {
  console.error(`error: npm sbom ended with ${status}: ${stderr.trim()}`)
  process.exitCode = 1
}
