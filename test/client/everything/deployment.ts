import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { actOnComplaint, type ComplaintPorts } from '../../../operations/notices/act-on-complaint.ts'
import { openComplaintBox } from '../../../operations/notices/complaint-box.ts'
import { runRatings } from '../../../operations/rating/run-ratings.ts'
import { runSeverity } from '../../../operations/severity/run-severity.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { harborWarehouse } from '../../api/acceptance/harbor.ts'
import { END } from '../../api/acceptance/harbor-rows.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { cosignedBy, LOG_KEY, signedBy, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { E22_MARKET, writeRatedDay } from '../../support/rating-world.ts'
import { person } from '../../support/review-world.ts'
import { latestText } from '../../warehouse/transparency/latest-text.ts'

const admin = person('admin', 'administrator')
const member = person('member', 'committee')
const other = person('other', 'committee')
const overseer = person('overseer', 'oversight')

const RATED_AT = toMicros('2026-06-01T00:00:00Z')

/** Rates every market on two days, by the model; one market has figures for every component. */
async function rateMarkets(warehouse: Warehouse): Promise<void> {
  await writeRatedDay(warehouse, [E22_MARKET], RATED_AT)
  for (const days of [0, 1]) {
    const at = formatMicros(RATED_AT + days * MICROS_PER_DAY + 60_000_000)
    await runRatings({ at, clock: 'recorded', warehouse })
  }
}

/** Assesses a flood that gets worse, so that a person must approve the second assessment. */
async function assessFlood(warehouse: Warehouse): Promise<void> {
  const at = (days: number) => END + days * MICROS_PER_DAY
  const stamped = (day: number) => ({
    app_sequence: day,
    stamp: { kind: 'recorded', at: at(day) } as const,
    operation: 'TEST',
  })
  const event = { event_id: 'evt_flood', revision: 1, title: 'Flood', category: 'flood' }
  const known = { source_at: formatMicros(at(1)), received_at: formatMicros(at(1)) }
  await warehouse.append('event', [{ ...event, ...known }], { app_id: 'event', ...stamped(1) })
  for (const [n, alert_level] of ['green', 'red'].entries()) {
    const flood = { venue_id: 'gdacs', hazard_type: 'flood', alert_level, is_current: true }
    const exposed = { population_value: '1000000', population_unit: 'Pop74', started_at: formatMicros(at(0)) }
    const alert = { ...hazardRow('evt_flood', at(n + 1)), ...flood, ...exposed }
    await warehouse.append('hazard_alert', [alert], { app_id: 'alert', ...stamped(n + 1) })
    await runSeverity({ at: formatMicros(at(n + 1) + 1_000_000), clock: 'recorded', warehouse })
  }
}

/** Publishes and resolves a complaint about a proposal, by somebody who took no part in it. */
async function resolveComplaint(ports: ComplaintPorts, subject_id: string): Promise<void> {
  const filed = { complaint_id: 'cmp_1', filed_at: '2026-03-01T00:00:00Z', text: 'It is too short.', contact: null }
  await ports.box.file({ ...filed, subject_kind: 'proposal', subject_id })
  await actOnComplaint(ports, member.signer, 'cmp_1', { act: 'publish_complaint', text: null })
  await actOnComplaint(ports, member.signer, 'cmp_1', { act: 'assign_complaint', handler: 'other' })
  const outcome = { act: 'resolve_complaint', outcome: 'upheld', reason: 'It is.' } as const
  await actOnComplaint(ports, other.signer, 'cmp_1', outcome)
}

/** Makes a warehouse with levels, a roster, a policy, and a log that a witness cosigned. Returns its folder. */
export async function makeDeployment(folder: string): Promise<string> {
  const root = await harborWarehouse(folder)
  const warehouse = await openWarehouse({ root, create: false })
  await assessFlood(warehouse)
  await rateMarkets(warehouse)
  const acts = governanceActs(warehouse)
  const expires_at = inDays(await warehouse.now(), 300)
  const people = [admin, member, other, overseer]
  await acts.propose(admin, rosterChange(await acts.state(), people, { threshold: 1, expires_at }))
  const policy = policyChange(await acts.state(), TEST_POLICY, expires_at)
  await acts.propose(admin, policy)
  await acts.vote(member, policy)
  const { proposal } = await acts.vote(overseer, policy)
  await resolveComplaint({ warehouse, box: openComplaintBox(folder, 2) }, proposal!.proposal_id)
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  await writer.cosign(cosignedBy(WITNESS_KEY, latestText(root), 1_767_225_600))
  writer.close()
  await warehouse.close()
  return root
}
