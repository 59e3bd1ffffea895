import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWitness } from '../../../operations/transparency/witness.ts'
import { openCheckpoint } from '../../../pipelines/transparency/checkpoint.ts'
import { cosignedAt } from '../../../pipelines/transparency/cosignature.ts'
import { keyText, parseKey } from '../../../pipelines/transparency/signed-note.ts'
import { cosign, type LogSettings, openLog } from '../../../service/transparency/keep-log.ts'
import { openLogKey, openWitnessKey } from '../../../service/transparency/note-key-file.ts'
import { serveWitness } from '../../../service/transparency/serve-witness.ts'
import { logPlace } from '../../../warehouse/transparency/log-layout.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { openMemoryStore, startObjectServer } from '../../support/object-server.ts'
import { openedWarehouses } from '../../support/opened-warehouses.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const { warehouseAt } = openedWarehouses(folder)
const settings = (more: Partial<LogSettings> = {}): LogSettings => ({
  home: folder,
  environment: 'test',
  log_key_file: join(folder, 'log.key'),
  log_origin: '',
  log_witness_url: '',
  log_witness_key: '',
  ...more,
})

describe('the key of a log', () => {
  test('is made once, for its owner alone, whoever asks at the same time', async () => {
    const file = join(folder, 'made/log.key')
    const made = await Promise.all(Array.from({ length: 5 }, () => openLogKey(file, 'log.example')))
    expect(new Set(made.map(({ key }) => keyText(key))).size).toBe(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that others may read is refused, and so is a file without one', async () => {
    const file = join(folder, 'open.key')
    await openLogKey(file, 'log.example')
    chmodSync(file, 0o644)
    await expect(openLogKey(file, 'log.example')).rejects.toThrow('0644')
    chmodSync(file, 0o600)
    writeFileSync(file, '{}')
    await expect(openLogKey(file, 'log.example')).rejects.toThrow('public_key and private_key')
  })

  test('has a name without spaces', async () => {
    await expect(openLogKey(join(folder, 'log.key'), 'a log')).rejects.toThrow('without spaces')
  })
})

test('a new warehouse is a log of its own; the settings may name it', async () => {
  const [one, two] = [await warehouseAt('one'), await warehouseAt('two')]
  const origins = []
  for (const [warehouse, more] of [
    [one, {}],
    [two, {}],
    [await warehouseAt('three'), { log_origin: 'log.example/x' }],
  ] as const) {
    const writer = await openLog(warehouse, settings(more))
    await writer.append()
    writer.close()
    origins.push(parseKey((await openLogReader(warehouse.root).vkey())!).name)
  }
  expect(new Set(origins).size).toBe(3)
  expect(origins[0]).toMatch(/^tidemark\/test\/[0-9a-f-]{36}$/)
  expect(origins[2]).toBe('log.example/x')
})

test('a warehouse in an object store has its log in the home', async () => {
  const server = await startObjectServer()
  const warehouse = await openWarehouse({
    root: 's3://bucket/logged',
    create: true,
    ports: { store: openMemoryStore(server.url, 'logged', folder) },
  })
  try {
    const home = join(folder, 'home')
    const writer = await openLog(warehouse, settings({ home, log_origin: 'log.example/s3' }))
    expect(await writer.append()).toMatchObject({ size: 1 })
    writer.close()
    const checkpoint = await openLogReader(logPlace({ home, warehouse: warehouse.root })).checkpoint()
    expect(checkpoint?.text).toMatch(/^log.example\/s3\n1\n/)
    expect(existsSync(join(home, 'log/state.json'))).toBe(true)
    expect([...server.objects.keys()].filter((name) => name.includes('/log/'))).toEqual([])
  } finally {
    await warehouse.close()
    await server.close()
  }
})

describe('a witness in another process', () => {
  test('cosigns each checkpoint, and the log publishes its cosignature', async () => {
    const warehouse = await warehouseAt('witnessed')
    const writer = await openLog(warehouse, settings())
    await writer.append()
    const log = parseKey((await openLogReader(warehouse.root).vkey())!)
    const ending = new AbortController()
    const { key, sign } = await openWitnessKey(join(folder, 'witness.key'), 'witness.example/w1', () => 1_767_225_600)
    const witness = openWitness({ folder: join(folder, 'seen'), keys: [log], cosign: sign })
    const { url, closed } = await serveWitness({
      ...{ witness, vkey: keyText(key), host: '127.0.0.1', port: 0, signal: ending.signal },
    })
    expect(await (await fetch(`${url}/vkey`)).text()).toBe(`${keyText(key)}\n`)
    const witnessed = settings({ log_witness_url: url, log_witness_key: keyText(key) })
    for (let n = 0; n < 3; n += 1) {
      await writer.append()
      await cosign(writer, warehouse, witnessed)
      const { note } = openCheckpoint(readFileSync(join(warehouse.root, 'log/checkpoint'), 'utf8'), log)
      expect(cosignedAt(note, key)).toBe(1_767_225_600)
    }
    const strange = settings({ ...witnessed, log_witness_key: keyText({ ...key, name: 'witness.example/w2' }) })
    await expect(cosign(writer, warehouse, strange)).rejects.toThrow('cosignature')
    ending.abort()
    await closed
    await expect(cosign(writer, warehouse, witnessed)).rejects.toThrow('does not answer')
    writer.close()
  })
})
