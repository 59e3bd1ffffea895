import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKS } from '../../../client/doctor/catalogue.ts'
import { NOW_FIELDS } from '../../../client/doctor/now-fields.ts'
import { ROOT } from '../../support/source-files.ts'

const PAGE = readFileSync(join(ROOT, 'docs/doctor.md'), 'utf8')

test.each(CHECKS)('$id is documented as it is', ({ id, title, compares }) => {
  expect(PAGE).toContain(`| ${id} | ${title} | ${compares} |`)
})

test('every field that depends on now is documented, and no other', () => {
  const rows = Object.entries(NOW_FIELDS).map(([field, why]) => `| \`${field}\` | ${why} |`)
  const section = PAGE.slice(PAGE.indexOf('## Fields that depend on now'), PAGE.indexOf('## Documented reasons'))
  expect(section.match(/^\| `.*$/gm)).toEqual(rows)
})

test('the catalogue has A1 to A25, each once', () => {
  expect(CHECKS.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, i) => `A${i + 1}`))
})
