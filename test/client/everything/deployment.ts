import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { cosignedBy, LOG_KEY, signedBy, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { person } from '../../support/review-world.ts'
import { wholeWarehouse } from '../../support/whole-warehouse.ts'
import { latestText } from '../../warehouse/transparency/latest-text.ts'

/** Makes a warehouse with levels, a roster, a policy, and a log that a witness cosigned. Returns its folder. */
export async function makeDeployment(folder: string): Promise<string> {
  const root = await wholeWarehouse(folder)
  const [admin, member, overseer] = [
    person('admin', 'administrator'),
    person('member', 'committee'),
    person('overseer', 'oversight'),
  ] as const
  const warehouse = await openWarehouse({ root, create: false })
  const acts = governanceActs(warehouse)
  const expires_at = inDays(await warehouse.now(), 300)
  const people = [admin, member, person('other', 'committee'), overseer]
  await acts.propose(admin, rosterChange(await acts.state(), people, { threshold: 1, expires_at }))
  const policy = policyChange(await acts.state(), TEST_POLICY, expires_at)
  await acts.propose(admin, policy)
  await acts.vote(member, policy)
  await acts.vote(overseer, policy)
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  await writer.cosign(cosignedBy(WITNESS_KEY, latestText(root), 1_767_225_600))
  writer.close()
  await warehouse.close()
  return root
}
