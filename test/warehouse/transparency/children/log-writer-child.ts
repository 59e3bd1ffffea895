import { TABLE_FORMS } from '../../../../api/transparency/record-forms.ts'
import { openLogWriter } from '../../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../../warehouse/warehouse.ts'
import { cosignedBy, LOG_KEY, signedBy, WITNESS_KEY } from '../../../support/log/log-keys.ts'
import { latestText } from '../latest-text.ts'

/** Task of this writer: it kills itself when it reaches a step for the n-th time. */
export type LogWriterTask = { readonly root: string; readonly step: string; readonly time: number }

const { root, step, time } = JSON.parse(process.argv[2]!) as LogWriterTask
const warehouse = await openWarehouse({ root, create: false, ports: { seal_every_ms: 0 } })
let reached = 0
const writer = await openLogWriter({
  warehouse,
  forms: TABLE_FORMS,
  signer: { key: LOG_KEY.key, sign: (text) => signedBy(LOG_KEY, text) },
  rows_max: 25,
  reach(at) {
    if (at === step && ++reached === time) process.kill(process.pid, 'SIGKILL')
  },
})
for (let more = true; more; ) {
  more = (await writer.append()).more
  await writer.cosign(cosignedBy(WITNESS_KEY, latestText(root), 1_767_225_600))
}
