import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { decodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { parseEntry } from '../../pipelines/transparency/log-entry.ts'
import { openLogReader } from '../../warehouse/transparency/log-reader.ts'
import { serve } from '../api/acceptance/served.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { wholeWarehouse } from '../support/whole-warehouse.ts'

const home = tempFolder()
const root = await wholeWarehouse(home)
const file = (name: string) => join(home, name)
const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const vkey = file('warehouse/log/vkey')
const level = file('level.tlog-proof')
const answer = file('answer.json')

describe('the log on the command line', () => {
  test('without a log says so', async () => {
    expect(await run('log', 'verify')).toMatchObject({ exit_code: 3 })
    expect((await run('log', 'verify')).stderr).toContain('LOG_NOT_FOUND')
  })

  describe('with one', () => {
    let observation_id = ''
    beforeAll(async () => {
      const { exit_code, stdout, stderr } = await run('log', 'append')
      expect([exit_code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/the log has [\d ,]+ entries/)
      const reader = openLogReader(root)
      const bundle = await reader.tile({ level: 'entries', index: 0, width: 100 })
      observation_id = decodeBundle(bundle!)!
        .map(parseEntry)
        .findLast(({ kind }) => kind === 'index_observation')!.record_id
      const api = await serve(root)
      const { record } = (await api.get(`/observations/${observation_id}`)).body.data as {
        record: { index_id: string; published_at: string }
      }
      const path = `/v1/indexes/${record.index_id}/prices/${observation_id}`
      const get = async (query: string, accept = '*/*') =>
        (await fetch(`${api.base_url}${path}${query}`, { headers: { accept } })).text()
      writeFileSync(level, await get('/proof', 'text/plain'))
      writeFileSync(answer, await get(`?expand=inputs&receipt=true&as_of=${record.published_at}`))
      expect(await run('log', 'verify', '--base-url', api.base_url, '--vkey-file', vkey)).toMatchObject({
        exit_code: 0,
      })
    }, 120_000)

    test('that is followed says so, with what and how far', async () => {
      const [stdout, stop] = [new PassThrough(), new AbortController()]
      const said = once(stdout, 'data')
      const streams = { stdout, stderr: new PassThrough(), environment: { TIDEMARK_HOME: home } }
      const overdue = new Promise<never>(() => undefined)
      const running = runCli(['log', 'append', '--follow'], {
        ...streams,
        stop: { signal: stop.signal, exitCode: () => null, overdue },
      })
      expect(String(await said)).toMatch(
        new RegExp(`^ready tidemark/sandbox/\\S+: [\\d ,]+ entries; follows ${join(home, 'warehouse')}\n$`),
      )
      stop.abort()
      await running
    })

    test('verifies, against the tables too', async () => {
      const { exit_code, stdout } = await run('log', 'verify')
      expect(exit_code).toBe(0)
      expect(stdout).toContain('entries verified; everything through')
    })

    test('proves a record', async () => {
      const { stdout } = await run('log', 'proof', 'index_observation', observation_id, '--json')
      expect(JSON.parse(stdout)).toMatchObject({ entry_fields: { record_id: observation_id } })
      expect(await run('log', 'proof', 'index_observation', 'iob_none')).toMatchObject({ exit_code: 3 })
      expect(await run('log', 'proof', 'seal', 'seal_1', '--out', file('seal.tlog-proof'))).toMatchObject({
        exit_code: 0,
      })
      expect(await run('verify', 'receipt', file('seal.tlog-proof'), '--vkey-file', vkey)).toMatchObject({
        exit_code: 0,
      })
    })

    test('checks a saved proof and a saved answer without a server', async () => {
      for (const saved of [level, answer]) {
        const { exit_code, stdout } = await run('verify', 'receipt', saved, '--vkey-file', vkey)
        expect([exit_code, stdout]).toEqual([0, expect.stringContaining(observation_id)])
        expect(stdout).toContain('not proven: that no newer record was published')
      }
    })

    test.each([
      ['answer', ['level', 'tick_at'], 0, []],
      ['answer', ['level', 'quality_state'], 1, ['quality_state']],
      ['answer', ['nothing_like_it'], 1, ['nothing_like_it']],
      ['answer', ['all'], 1, ['quality_state', 'reason_codes']],
      ['answer', ['level', 'newest'], 1, ['newest']],
      ['proof', ['all'], 0, []],
      ['proof', ['all', 'newest'], 1, ['newest']],
      ['proof', ['level', 'nothing_like_it'], 1, ['nothing_like_it']],
    ] as const)('of a saved %s, requires %j and exits %i', async (saved, fields, code, lacking) => {
      const path = saved === 'answer' ? answer : level
      const asked = ['verify', 'receipt', path, '--vkey-file', vkey, '--json', '--require', ...fields]
      const { exit_code, stdout } = await run(...asked)
      expect([exit_code, JSON.parse(stdout)]).toEqual([code, expect.objectContaining({ verified: true, lacking })])
    })

    test('refuses an altered answer, with exit code 1', async () => {
      const altered = file('altered.json')
      writeFileSync(altered, readFileSync(answer, 'utf8').replace(/"level":"\d/, '"level":"9'))
      const { exit_code, stderr } = await run('verify', 'receipt', altered, '--vkey-file', vkey)
      expect([exit_code, stderr]).toEqual([1, expect.stringContaining('PROOF_INVALID')])
      expect(await run('verify', 'receipt', file('absent'), '--vkey-file', vkey)).toMatchObject({ exit_code: 2 })
    })

    test('refuses a log that does not continue a checkpoint that was saved', async () => {
      const saved = file('saved.checkpoint')
      writeFileSync(saved, readFileSync(file('warehouse/log/checkpoint')))
      expect(await run('log', 'verify', '--seen', saved)).toMatchObject({ exit_code: 0 })
      expect(await run('log', 'append')).toMatchObject({ exit_code: 0 })
      expect(await run('log', 'verify', '--seen', saved)).toMatchObject({ exit_code: 0 })
      const newest = readFileSync(file('warehouse/log/checkpoint'))
      writeFileSync(file('warehouse/log/checkpoint'), readFileSync(saved))
      writeFileSync(saved, newest)
      const { exit_code, stderr } = await run('log', 'verify', '--seen', saved)
      expect([exit_code, stderr]).toEqual([1, expect.stringContaining('which was seen before')])
      writeFileSync(file('warehouse/log/checkpoint'), newest)
    })

    test('names the tile in which a bit is flipped', async () => {
      const folder = file('warehouse/log/tile/0')
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
      const tile = names.find((name) => statSync(name).isFile())!
      const bytes = readFileSync(tile)
      bytes[3]! ^= 4
      writeFileSync(tile, bytes)
      const { exit_code, stderr } = await run('log', 'verify')
      expect([exit_code, stderr]).toEqual([1, expect.stringContaining('tile/0/000')])
    })
  })
})
