import { expect, test } from 'vitest'
import { unpublishedVersion } from '../../../operations/governance/proposed-version.ts'
import type { PublishedIndex } from '../../../operations/index/load-index.ts'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import type { DefinitionFile } from '../../../pipelines/index/definition-schema.ts'
import { versionRecord } from '../../../pipelines/index/version-record.ts'
import { definitionFile } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'

const later = (version: string, day: string, rest = {}) => ({
  version,
  effective_from: `2026-12-${day}T00:00:00Z`,
  ...rest,
})
const file = definitionFile([{ constituent_id: 'con_a', target_weight: '1' }], {
  versions: [later('2', '01'), later('3', '02')],
})
const without = (...versions: readonly string[]): DefinitionFile => ({
  ...file,
  versions: file.versions.filter(({ version }) => !versions.includes(version)),
})
/** The index as its versions 1 and 2 were published. */
const known = {
  version_rows: decodeDefinition(without('3')).versions.map((defined) => versionRecord(defined, null)),
} as unknown as PublishedIndex
const unpublished = (of: DefinitionFile) => unpublishedVersion(decodeDefinition(of), known)
const renamed = (of: DefinitionFile): DefinitionFile => ({
  ...of,
  methodology: { ...of.methodology, version: '1.0.1' },
})

test('a file is about its only version that is not published; published ones stay as they are, or are left out', () => {
  for (const of of [file, without('1'), without('1', '2'), renamed(without('1', '2'))])
    expect(unpublished(of).version.version).toBe('3')
  expect(refusal('VALIDATION_DEFINITION_INVALID', () => unpublished(without('3'))).message).toBe(
    'versions of idx_demo that are not published is none; allowed: exactly one: the version to propose, each is a proposal of its own',
  )
  const two = { ...file, versions: [...file.versions, { ...file.versions[2]!, ...later('4', '03') }] }
  refusal('VALIDATION_DEFINITION_INVALID', () => unpublished(two))
})

test('a file with a published version and another methodology is refused, and told to leave that version out', () => {
  const left_out =
    'allowed: version 1 as published, or left out of the file; a change is a new version with a later effective_from'
  expect(refusal('VALIDATION_VERSION_PUBLISHED', () => unpublished(renamed(file))).message).toBe(
    `version 1 of idx_demo is published with methodology mth_demo 1.0.0, and the file has mth_demo 1.0.1; ${left_out}`,
  )
  const [first, ...rest] = file.versions
  const edited = { ...file, versions: [{ ...first!, minimum_coverage_ratio: '0.9' }, ...rest] }
  expect(refusal('VALIDATION_VERSION_PUBLISHED', () => unpublished(edited)).message).toBe(
    `version 1 of idx_demo is published and differs from the file; ${left_out}`,
  )
})
