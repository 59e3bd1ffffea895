import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { LOG_KEY, signedBy } from '../../support/log/log-keys.ts'
import { refusalOf } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'
import { startLiveWarehouse } from './live-warehouse.ts'

const admin = person('admin', 'administrator')
const ann = person('ann', 'committee')
const ben = person('ben', 'committee')
const olaf = person('olaf', 'oversight')

/**
 * The real service with its page, before a warehouse with a level, a roster that expires in 20 days, a policy, a successor of the policy
 * whose notice runs, and one that nobody carries; all of it is in the log.
 */
export async function startGovernanceService(root: string) {
  const live = await startLiveWarehouse(root)
  await live.publish('idx_one', '1000.1000', 5)
  const warehouse = await openWarehouse({ root })
  const acts = governanceActs(warehouse)
  const now = await warehouse.now()
  const roster = rosterChange(await acts.state(), [admin, ann, ben, olaf], {
    threshold: 1,
    expires_at: inDays(now, 20),
  })
  await acts.propose(admin, roster)
  const first = policyChange(await acts.state(), TEST_POLICY, inDays(now, 300))
  await acts.propose(admin, first)
  await acts.vote(ann, first)
  await refusalOf(acts.vote(admin, first))
  await acts.vote(olaf, first)
  const { policy } = TEST_POLICY.classes
  const slower = {
    ...TEST_POLICY,
    classes: { ...TEST_POLICY.classes, policy: { ...policy, committee: 2, notice: 'P14D' } },
  }
  const queued = policyChange(await acts.state(), slower, inDays(now, 310))
  await acts.propose(admin, queued)
  for (const member of [ann, ben, olaf]) await acts.vote(member, queued)
  const open = policyChange(await acts.state(), { ...TEST_POLICY, late_window: 'PT12H' }, inDays(now, 320))
  const { proposal_id } = await acts.propose(admin, open).then(async () => lastProposal((await acts.state()).proposals))
  await acts.vote(ann, open)
  const on = { kind: 'policy' as const, subject_id: proposal_id }
  await acts.perform(ben, { ...on, act: 'vote', details: { choice: 'dissent', reason: 'Half a day is too short.' } })
  await acts.perform(olaf, { ...on, act: 'comment', details: { text: 'Whom does a shorter window help?' } })
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
  await warehouse.close()
  return { ...live, base_url: live.api.base_url, open_id: proposal_id }
}

function lastProposal(proposals: ReadonlyMap<string, { readonly proposal_id: string }>) {
  return [...proposals.values()].at(-1)!
}
