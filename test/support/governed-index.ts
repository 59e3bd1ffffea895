import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { advanceGovernance } from '../../operations/governance/advance-governance.ts'
import { adoptionOf, contentOfFile } from '../../operations/governance/change-of-file.ts'
import { type ChangeWish, proposalOfChange } from '../../operations/governance/governance-act-of.ts'
import { performGovernanceAct, signGovernanceAct } from '../../operations/governance/perform-governance-act.ts'
import { readGovernance } from '../../operations/governance/read-governance.ts'
import { importArchive } from '../../operations/import/import-archive.ts'
import { applyDefinitions } from '../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../operations/index/compute-indexes.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { targetOf } from '../../pipelines/governance/index-change.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { VersionClassName } from '../../vocabulary/governance.ts'
import { openLocalStore } from '../../warehouse/store/local-store.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { type ShortRow, valueLine, writeArchive } from './archive-folder.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from './governance-world.ts'
import { signedReport } from './impact-report.ts'
import { type Person, person } from './review-world.ts'

const rule = (committee: number, oversight: number, notice: string) => ({
  ...{ committee, oversight, comment: 'PT0S', vote: 'PT0S', notice },
})

/** Policy of the tests: the signatures of the design, and delays of hours. */
const HOURS_POLICY = {
  ...TEST_POLICY,
  classes: {
    text: rule(1, 0, 'PT1H'),
    parameter: rule(2, 0, 'PT2H'),
    material: { ...rule(2, 1, 'PT6H'), comment: 'PT6H' },
    emergency: rule(1, 1, 'PT0S'),
    policy: rule(1, 1, 'PT0S'),
  },
}

export const PEOPLE = {
  admin: person('admin', 'administrator'),
  ann: person('ann', 'committee'),
  ben: person('ben', 'committee'),
  cat: person('cat', 'committee'),
  olaf: person('olaf', 'oversight'),
  r1: person('r1', 'runner'),
  r2: person('r2', 'runner'),
}

const ROWS: readonly ShortRow[] = [
  ['s1', 'A', 1, '01T06:00', '0.5'],
  ['s1', 'B', 1, '01T06:00', '0.3'],
  ['s1', 'A', 5, '05T06:00', '0.7'],
  ['s1', 'B', 5, '05T06:00', '0.4'],
]

/** Day of January 2026 at an hour. */
export const january = (day: number, hour = 0): Micros =>
  toMicros('2026-01-01T00:00:00Z') + (day - 1) * MICROS_PER_DAY + hour * 3_600_000_000

/** Version of the index of the tests. */
export type TestVersion = {
  readonly version: string
  readonly from: Micros
  readonly weights?: readonly [string, string]
  readonly summary?: string
}

/**
 * A warehouse with a clock of the test's, the index idx_tide and its levels, and people without a roster yet.
 * @param made_in  folder of another such world, whose warehouse is copied as it is
 */
export async function governedIndex(folder: string, made_in?: string) {
  let clock = january(10)
  const now = async () => clock
  const root = join(folder, 'warehouse')
  if (made_in !== undefined) cpSync(join(made_in, 'warehouse'), root, { recursive: true })
  const ports = { now, store: { ...openLocalStore(root), now } }
  const warehouse = await openWarehouse({ root, create: true, ports })
  const dir = writeArchive(join(folder, 'archive'), ROWS.map(valueLine))
  if (made_in === undefined) await importArchive({ archive: 'forecastbench', dir, clock: 'recorded', warehouse })
  const file = (
    versions: readonly TestVersion[],
    change: { readonly name?: string; readonly index_id?: string } = {},
  ) => {
    const path = join(
      folder,
      `definition-${versions.map(({ version }) => version).join('-')}-${change.name ?? 'tide'}.yaml`,
    )
    writeFileSync(path, definition(versions, change))
    return path
  }
  const first = file([FIRST])
  if (made_in === undefined) await applyDefinitions({ files: [first], clock: 'recorded', warehouse })
  const acts = governanceActs(warehouse)
  const propose = async (by: Person, wish: Partial<ChangeWish> & Pick<ChangeWish, 'kind' | 'content'>) => {
    const whole = { rationale: 'a test', emergency: null, base_hash: null, ...wish }
    return performGovernanceAct(warehouse, await proposalOfChange(warehouse, by.signer, whole))
  }
  const on = async (
    by: Person,
    proposal_id: string,
    act: 'vote' | 'veto' | 'ratify' | 'cancel',
    details: object = {},
  ) => {
    const { kind } = (await acts.state()).proposals.get(proposal_id)!
    return acts.perform(by, { act, kind, subject_id: proposal_id, details: details as Record<string, string> })
  }
  return {
    warehouse,
    acts,
    file,
    first,
    propose,
    on,
    at: (instant: Micros) => {
      clock = instant
    },
    advance: async (instant: Micros) => {
      clock = instant
      await advanceGovernance(warehouse)
    },
    contentOf: (path: string) => contentOfFile(warehouse, path),
    /** Puts a roster of everybody and a policy in force. */
    govern: async () => {
      const everybody = Object.values(PEOPLE)
      const in_force = { threshold: 1, expires_at: inDays(clock, 300) }
      await acts.propose(PEOPLE.admin, rosterChange(await acts.state(), everybody, in_force))
      const policy = policyChange(await acts.state(), HOURS_POLICY, inDays(clock, 300))
      await acts.propose(PEOPLE.admin, policy)
      for (const by of [PEOPLE.ann, PEOPLE.olaf]) await acts.vote(by, policy)
    },
    /** Adopts the index, one hour of notice included. @param whileQueued called during the notice */
    adopt: async (instant: Micros, whileQueued = async () => {}) => {
      clock = instant
      const { proposal } = await propose(PEOPLE.ann, await adoptionOf(warehouse, 'idx_tide'))
      await on(PEOPLE.ben, proposal!.proposal_id, 'vote', { choice: 'approve', reason: null })
      await whileQueued()
      clock = instant + 3_600_000_000
      await advanceGovernance(warehouse)
      return proposal!
    },
    /** Attests an impact of a change. */
    attest: async (
      by: Person,
      { kind, content }: Pick<ChangeWish, 'kind' | 'content'>,
      change_class: string,
      digest = 'd',
    ) => {
      const { state } = await readGovernance(warehouse)
      const base_hash = state.heads.get(targetOf(kind, content)) ?? null
      const content_hash = recordHash(content)
      const as_of = formatMicros(await warehouse.now())
      const levels_sha256 = digest.repeat(64)
      const report = { base_hash, content_hash, as_of, levels_sha256, change_class: change_class as VersionClassName }
      const act = { ...signedReport(report), kind }
      const signed = { ...act, actor_id: by.member.actor_id, acted_at: await warehouse.now() }
      await performGovernanceAct(warehouse, signGovernanceAct(by.signer, signed))
    },
    approve: async (proposal_id: string, ...by: readonly Person[]) => {
      for (const one of by) await on(one, proposal_id, 'vote', { choice: 'approve', reason: null })
    },
    compute: async (from: Micros, to: Micros) =>
      computeIndexes({
        ...{ index_ids: ['idx_tide'], from: formatMicros(from), to: formatMicros(to) },
        ...{ clock: 'wall', warehouse },
      }),
  }
}

const FIRST: TestVersion = { version: '1', from: january(1) }

/** Text of the definition with these versions after the first. */
function definition(
  versions: readonly TestVersion[],
  { name = 'Tide', index_id = 'idx_tide' }: { readonly name?: string; readonly index_id?: string },
): string {
  return `
index: { index_id: ${index_id}, slug: tide, symbol: TIDE, name: ${name}, base_value: "1000", base_date: 2026-01-01T00:00:00Z }
methodology: { methodology_id: mth_${index_id.slice(4)}, version: "1.0.0", name: Test, parameters: { admission.grace: PT1H, fresh.stale_after: P60D, fresh.max_carry: P60D } }
versions:
${versions.map(versionText).join('\n')}
`
}

function versionText({ version, from, weights: [a, b] = ['0.5', '0.5'], summary }: TestVersion): string {
  const constituent = (id: string, market: string, weight: string) =>
    `      - { constituent_id: con_${id}, venue_id: v, source_series_id: s1, source_market_id: ${market}, outcome: "YES", target_weight: "${weight}" }`
  return `  - version: "${version}"
    effective_from: ${formatMicros(from)}
    calculation_frequency: PT6H
    minimum_coverage_ratio: "0.80"
${summary === undefined ? '' : `    change_summary: [${summary}]\n`}    constituents:
${constituent('a', 'A', a)}
${constituent('b', 'B', b)}`
}
