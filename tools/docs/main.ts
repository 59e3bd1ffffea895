import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asyncApiDocument } from '../../protocol/documents/asyncapi.ts'
import { openApiDocument } from '../../protocol/documents/openapi.ts'
import { VECTOR_DOCUMENTS } from '../vectors/vector-documents.ts'
import { renderEndpoints, renderFileNames, renderMapping } from './accepted-forms.ts'
import { renderCausesTable } from './causes-table.ts'
import { renderCliReference } from './cli-reference.ts'
import { renderDefinitionSchema, renderListingSchema } from './definition-schema.ts'
import { fillSection } from './fill-section.ts'
import { renderLimitsTable } from './limits-table.ts'
import { renderMetricsTable } from './metrics-table.ts'
import { renderParameterTable } from './parameter-table.ts'
import { PYTHON_DOCUMENTS } from './python-client.ts'
import { renderSettingsTable } from './settings-table.ts'
import { renderSparkViews } from './spark-views.ts'
import { TYPESCRIPT_DOCUMENTS } from './typescript-client.ts'
import { renderViewsPage } from './views-page.ts'

/**
 * `npm run docs`: writes the documents that are made from the code. `npm run docs -- --check` writes nothing and
 * exits 1 when one of them is out of date.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const views_page = await renderViewsPage()
const cli_reference = await renderCliReference()
const spark_views = await renderSparkViews()

/** Path from the root, and what the file should hold, given what it holds now. */
const DOCUMENTS: readonly (readonly [path: string, render: (current: string) => string])[] = [
  ['docs/cli.md', () => cli_reference],
  ['docs/views.md', () => views_page],
  ['docs/schemas/index-definition.schema.json', renderDefinitionSchema],
  ['docs/schemas/listing-policy.schema.json', renderListingSchema],
  ['docs/api/openapi.json', () => `${JSON.stringify(openApiDocument(), null, 2)}\n`],
  ['docs/api/asyncapi.json', () => `${JSON.stringify(asyncApiDocument(), null, 2)}\n`],
  ['docs/index-definitions.md', (current) => fillSection(current, 'parameters', renderParameterTable())],
  ['docs/archives.md', renderArchives],
  ['docs/signing.md', (current) => fillSection(current, 'causes', renderCausesTable())],
  ['docs/limits.md', (current) => fillSection(current, 'limits', renderLimitsTable())],
  ['docs/operations.md', (current) => fillSection(current, 'metrics', renderMetricsTable())],
  ['docs/configuration.md', (current) => fillSection(current, 'settings', renderSettingsTable())],
  ...PYTHON_DOCUMENTS,
  ['python/src/tidemark/_generated/spark_views.py', spark_views],
  ...TYPESCRIPT_DOCUMENTS,
  ...VECTOR_DOCUMENTS,
]

function renderArchives(current: string): string {
  const sections = { endpoints: renderEndpoints, 'file names': renderFileNames, mapping: renderMapping }
  return Object.entries(sections).reduce((page, [name, render]) => fillSection(page, name, render()), current)
}

const stale = DOCUMENTS.flatMap(([path, render]) => {
  const current = readOrEmpty(join(ROOT, path))
  const wanted = render(current)
  return wanted === current ? [] : [{ path, wanted }]
})

if (process.argv.includes('--check')) {
  for (const { path } of stale) process.stdout.write(`${path} is out of date; run: npm run docs\n`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const { path, wanted } of stale) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), wanted)
    process.stdout.write(`${path} written\n`)
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
