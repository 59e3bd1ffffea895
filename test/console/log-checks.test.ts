import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../console/data/api-error.ts'
import { createTurns } from '../../console/data/turns.ts'
import type { Bytes } from '../../console/log/bytes.ts'
import { type LogFiles, logFiles } from '../../console/log/log-files.ts'
import { sealsOf } from '../../console/log/seals.ts'
import { seenLogs } from '../../console/log/seen-logs.ts'
import type { Verdict } from '../../console/log/verdict.ts'
import { verifyHead } from '../../console/log/verify-head.ts'
import { verifyRecord } from '../../console/log/verify-record.ts'
import { testKey } from '../support/log/log-keys.ts'
import { paperLog } from './support/paper-log.ts'

/** Logs that are remembered, and tiles that are all read. */
const [SEEN_LOGS_MAX, TILES_MAX] = [8, 64]
const { signal } = new AbortController()

/** Storage of a browser. */
function storage() {
  const texts = new Map<string, string>()
  return {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
  }
}

/** Files of a log, some of them replaced. */
function served(files: ReadonlyMap<string, Uint8Array>): LogFiles & { readonly paths: string[] } {
  const paths: string[] = []
  return {
    paths,
    read: async (path) => {
      paths.push(path)
      const bytes = files.get(path)
      if (bytes === undefined) throw new ApiError('LOG_NOT_FOUND', `${path} is absent`, { status: 404 })
      return new Uint8Array(bytes) as Bytes
    },
  }
}

const head = (files: ReadonlyMap<string, Uint8Array>, seen = seenLogs(storage()), at = 1) =>
  verifyHead({ files: served(files), seen, now_ms: () => at, signal })
const shown = ({ state, checks }: Verdict) => [state, ...checks.map(({ name, outcome }) => `${name} ${outcome}`)]
const failed = ({ checks }: Verdict) => checks.find(({ outcome }) => outcome === 'failed')?.detail

/** Bytes with one bit of one byte flipped. */
function flipped(bytes: Uint8Array, at = bytes.length >> 1): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at]! ^= 1
  return copy
}

describe('the head of the log', () => {
  test('the first visit verifies and remembers, a later one is compared with it', async () => {
    const seen = seenLogs(storage())
    expect(shown(await head(paperLog(260).files, seen))).toEqual([
      'verified',
      'Key passed',
      'Signature passed',
      'Tiles passed',
      'Consistency skipped',
      'Last seal passed',
    ])
    const later = await head(paperLog(700).files, seen)
    expect(shown(later)).toEqual([
      'verified',
      'Key passed',
      'Signature passed',
      'Tiles passed',
      'Consistency passed',
      'Last seal passed',
    ])
    expect(later.checks[3]!.detail).toContain('260 entries')
    expect(seen.of('log.example/vectors')?.head.size).toBe(700)
  })

  test('one byte flipped in any file of the log is shown as a fault, and nothing is remembered', async () => {
    const { files } = paperLog(520)
    const paths = [...files.keys()].filter((path) => !/entries\/00[01]/.test(path))
    expect(paths).toEqual(
      expect.arrayContaining(['checkpoint', 'vkey', 'tile/0/000', 'tile/0/002.p/8', 'tile/1/000.p/2']),
    )
    for (const path of paths) {
      const seen = seenLogs(storage())
      // The line of a witness is not checked: its key is not at hand.
      const at = path === 'checkpoint' ? 30 : undefined
      const verdict = await head(new Map(files).set(path, flipped(files.get(path)!, at)), seen)
      expect([path, verdict.state]).toEqual([path, 'failed'])
      expect(seen.of('log.example/vectors')).toBeNull()
    }
  })

  test('a log that was rolled back, or has another history, is a fault; what was seen stays remembered', async () => {
    const seen = seenLogs(storage())
    await head(paperLog(300).files, seen)
    expect(failed(await head(paperLog(290).files, seen))).toContain('rolled back')
    for (const size of [300, 310, 600]) {
      expect(failed(await head(paperLog(size, { word: 'other' }).files, seen))).toContain('two histories')
      expect(seen.of('log.example/vectors')?.head.size).toBe(300)
    }
    expect((await head(paperLog(300).files, seen)).state).toBe('verified')
  })

  test('another key than the one seen before is a fault, also where it signs correctly', async () => {
    const seen = seenLogs(storage())
    const other = testKey('log.example/vectors', 1)
    const secret = testKey('log.example/other')
    await head(paperLog(20).files, seen)
    const forged = paperLog(30, {
      key: { key: { ...other.key, public_key: secret.key.public_key }, secret: secret.secret },
    })
    expect((await head(forged.files)).state).toBe('verified')
    expect(failed(await head(forged.files, seen))).toContain('another than the one that this browser saw before')
  })

  test('a log whose last entry is no seal is a fault', async () => {
    expect(failed(await head(paperLog(25).files))).toContain('not a seal')
  })

  test('an empty log, and one of each size around a tile, verify', async () => {
    for (const size of [0, 10, 250, 260, 510, 520]) expect((await head(paperLog(size).files)).state).toBe('verified')
  })

  test('of a large log the tiles of its root and proofs are read, and it says so', async () => {
    const { files } = paperLog(20_000)
    const reads = served(files)
    const verdict = await verifyHead({ files: reads, seen: seenLogs(storage()), now_ms: () => 1, signal })
    expect(verdict.state).toBe('verified')
    expect(reads.paths.filter((path) => path.startsWith('tile/0/')).length).toBeLessThan(TILES_MAX)
    expect(verdict.checks[2]!.detail).toContain('tidemark log verify reads all')
  })

  test('a service without an answer says nothing about the log', async () => {
    const verdict = await head(new Map())
    expect(shown(verdict)).toEqual(['unable'])
    expect(verdict.meaning).toContain('LOG_NOT_FOUND')
  })
})

describe('a record', () => {
  const { files, proofOf } = paperLog(300)
  const record = { observation_id: 'iob_123', word: 'level', max_age_ms: 5 }
  const verify = (proof: object, of: object = record, later: readonly string[] = []) =>
    verifyRecord(
      {
        files: served(files),
        seen: seenLogs(storage()),
        signal,
        proof: async () => proof as ReturnType<typeof proofOf>,
      },
      { record: of, later },
    )

  test('that is in the log and on the page as it was published is verified', async () => {
    const verdict = await verify(proofOf(123))
    expect(shown(verdict)).toEqual([
      'verified',
      'Key passed',
      'Checkpoint passed',
      'Inclusion passed',
      'Text passed',
      'Page passed',
    ])
    expect(verdict.meaning).toContain('index_observation iob_123')
  })

  test('is refused for each part of its proof that was changed', async () => {
    const proof = proofOf(123)
    const other = proofOf(124)
    const wrong: readonly (readonly [object, string])[] = [
      [{ ...proof, index: 124 }, 'Inclusion'],
      [{ ...proof, hashes: proof.hashes.slice(1) }, 'Inclusion'],
      [{ ...proof, hashes: [...proof.hashes, proof.hashes[0]] }, 'Inclusion'],
      [{ ...proof, hashes: ['AA==', ...proof.hashes.slice(1)] }, 'Inclusion'],
      [{ ...proof, entry: other.entry }, 'Inclusion'],
      [{ ...proof, entry: '%' }, 'Inclusion'],
      [{ ...proof, record_text: other.record_text }, 'Text'],
      [{ ...proof, checkpoint: proof.checkpoint.replace('\n300\n', '\n301\n') }, 'Checkpoint'],
      [other, 'Page'],
    ]
    for (const [changed, name] of wrong) {
      const verdict = await verify(changed)
      expect([verdict.state, verdict.checks.at(-1)?.name]).toEqual(['failed', name])
    }
  })

  test('on the page differs from the one published: a fault that names field and both values', async () => {
    expect(failed(await verify(proofOf(123), { ...record, word: 'other' }))).toBe(
      'The page has word "other"; the log has "level".',
    )
    expect(failed(await verify(proofOf(123), { observation_id: 'iob_123' }))).toContain('no value')
    expect((await verify(proofOf(123), { ...record, word: 'other' }, ['word'])).checks.at(-1)?.detail).toContain(
      'Otherwise known now: word',
    )
  })

  test('that no checkpoint covers yet is waited for, with the time that the service states', async () => {
    const pending = new ApiError('PROOF_PENDING', 'not yet', { status: 404, retry_after_ms: 30_000 })
    const verdict = await verifyRecord(
      { files: served(files), seen: seenLogs(storage()), signal, proof: () => Promise.reject(pending) },
      { record },
    )
    expect([verdict.state, verdict.retry_after_ms]).toEqual(['waiting', 30_000])
  })
})

describe('memory and files', () => {
  test('so many logs are remembered, the newest of them; a damaged text counts as none', () => {
    const kept = storage()
    const seen = seenLogs(kept)
    for (let n = 0; n < 3 * SEEN_LOGS_MAX; n++)
      seen.keep({ origin: `log.example/${n}`, vkey: 'k', head: { size: n, root: new Uint8Array(32) }, seen_ms: n })
    expect(seen.of('log.example/0')).toBeNull()
    expect(seen.of(`log.example/${3 * SEEN_LOGS_MAX - 1}`)?.head.size).toBe(3 * SEEN_LOGS_MAX - 1)
    expect((JSON.parse(kept.getItem('tidemark.seen-logs')!) as unknown[]).length).toBe(SEEN_LOGS_MAX)
    for (const text of ['{', '[null,{}]', '{"origin":1}', 'x'.repeat(30_000)]) {
      kept.setItem('tidemark.seen-logs', text)
      expect(seen.of('log.example/1')).toBeNull()
    }
    const refusing = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    expect(
      seenLogs(refusing).keep({ origin: 'o', vkey: 'k', head: { size: 0, root: new Uint8Array(32) }, seen_ms: 0 }),
    ).toBe(false)
  })

  test('a read that is refused for its rate is asked again after the time of the answer', async () => {
    const waits: number[] = []
    const refusal = {
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'too many',
        retryable: true,
        request_id: 'r',
        retry_after_ms: 700,
      },
    }
    const answers = [new Response(JSON.stringify(refusal), { status: 429 }), new Response('text')]
    const turns = createTurns(async (millis) => void waits.push(millis))
    const files = logFiles({ fetch: async () => answers.shift()!, turns })
    expect(new TextDecoder().decode(await files.read('vkey', signal))).toBe('text')
    expect(waits).toEqual([700])
  })

  test('a refused read of the log holds back the other reads of the page until it is answered', async () => {
    const order: string[] = []
    const waiting: (() => void)[] = []
    const turns = createTurns(() => new Promise((resolve) => waiting.push(resolve)))
    const refused = new Response(JSON.stringify({ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'm' } }), {
      status: 429,
    })
    const answers = [refused, new Response('text')]
    const fetch = async (url: string) => {
      order.push(url)
      return answers.shift()!
    }
    const first = logFiles({ fetch, turns }).read('checkpoint', signal)
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    const second = turns.take(
      async () => void order.push('another read'),
      () => null,
    )
    waiting[0]!()
    await Promise.all([first, second])
    expect(order).toEqual(['/log/checkpoint', '/log/checkpoint', 'another read'])
  })

  test('the seals of a bundle, newest first', () => {
    const bundle = paperLog(30).files.get('tile/entries/000.p/30')!
    expect(sealsOf(bundle).map(({ record_id, entries }) => [record_id, entries])).toEqual([
      ['seal_3', 9],
      ['seal_2', 9],
      ['seal_1', 9],
    ])
  })
})
