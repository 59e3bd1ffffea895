import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMetricSet } from '../../../api/admin/metric-set.ts'
import { cosignatureBytes } from '../../../pipelines/transparency/cosignature.ts'
import {
  ED25519_COSIGNATURE,
  keyText,
  type NoteSignature,
  noteOf,
} from '../../../pipelines/transparency/signed-note.ts'
import { keepingMetrics } from '../../../service/metrics/keeping-metrics.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NOW_MS = Date.parse('2026-01-05T10:00:00Z')
const WITNESS = { name: 'witness.example/w1', type: ED25519_COSIGNATURE, public_key: new Uint8Array(32) }
const own = { name: 'log', key_id: '00000001', signature: new Uint8Array(64) }
const cosigned = {
  name: WITNESS.name,
  key_id: '00000002',
  signature: cosignatureBytes(NOW_MS / 1000, new Uint8Array(64)),
}

const ages = (text: string) => text.split('\n').filter((line) => /^tidemark_(log_[cw]|backup)/.test(line))

test('checkpoint, witness and backup have their ages, also after the witness went silent', async () => {
  const home = tempFolder()
  const warehouse = join(home, 'warehouse')
  let now_ms = NOW_MS
  const set = createMetricSet()
  keepingMetrics(
    set,
    () => ({ home, warehouse, log_witness_key: keyText(WITNESS) }),
    () => now_ms,
  )
  now_ms += 30_000
  expect(ages(await set.text())).toEqual(['tidemark_log_witness_age_seconds{witness="witness.example/w1"} 30'])

  mkdirSync(join(warehouse, 'log'), { recursive: true })
  const write = (signatures: readonly NoteSignature[]) => {
    const file = join(warehouse, 'log/checkpoint')
    writeFileSync(file, noteOf({ text: 'log\n1\nroot\n', signatures }))
    utimesSync(file, now_ms / 1000, now_ms / 1000)
  }
  write([own, cosigned])
  const last = { format: 1, folder: '/backups', backed_up_through: '2026-01-04T10:00:00Z' }
  writeFileSync(join(home, 'last-backup.json'), JSON.stringify(last))
  now_ms += 30_000
  expect(ages(await set.text())).toEqual([
    'tidemark_log_checkpoint_age_seconds{log="log"} 30',
    'tidemark_log_witness_age_seconds{witness="witness.example/w1"} 60',
    'tidemark_backup_age_seconds{folder="/backups"} 86460',
  ])
  write([own])
  expect(ages(await set.text())).toContain('tidemark_log_witness_age_seconds{witness="witness.example/w1"} 60')
})
