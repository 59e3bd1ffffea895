import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../bench/load/cpu-seconds.ts'
import { Delays } from '../../../bench/load/delays.ts'
import { loadOptions } from '../../../bench/load/load-options.ts'
import { lane } from '../../../tools/reliability/lane.ts'

test('delays: shares of them, the longest, and none', () => {
  const delays = new Delays()
  expect([delays.count, delays.at(0.99), delays.longest_ms]).toEqual([0, null, null])
  for (let ms = 1; ms <= 100; ms += 1) delays.add(ms)
  expect([delays.at(0.5), delays.at(0.99), delays.at(1)]).toEqual([50, 99, 100])
  // A clock that was set back, and one message that came after minutes.
  delays.add(-5)
  delays.add(300_000)
  expect([delays.count, delays.at(0.001), delays.at(1), delays.longest_ms]).toEqual([102, 0, 300_000, 300_000])
})

test('options: streams bring more markets, and are not for a run that kills', () => {
  expect(loadOptions([])).toMatchObject({ seconds: 300, rate: 1000, markets: 4, private_streams: 0, settle: false })
  expect(loadOptions(['--public-streams', '10'])).toMatchObject({ public_streams: 10, markets: 100 })
  expect(loadOptions(['--public-streams', '10', '--markets', '7']).markets).toBe(7)
})

test.each([
  [['--rate', '0'], "'--rate <n>' argument '0' is invalid. Allowed: a whole number from 1 to 999999999."],
  [['--private-streams', '1', '--kill'], 'kill is given with streams; allowed: one of them'],
  [['--sekonds', '3'], "unknown option '--sekonds'"],
])('options %j are refused', (argv, message) => {
  const command = lane('load')
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()
  expect(() => loadOptions(argv, command)).toThrow(message)
})

test.runIf(process.platform === 'linux')('processor time of a process counts that of its children', async () => {
  const busy = 'for (const end = Date.now() + 400; Date.now() < end; );'
  const parent = `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}]); process.stdin.resume(); console.log('x')`
  const child = spawn(process.execPath, ['-e', parent], { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  expect(cpuSeconds(child.pid!)).toBeGreaterThan(0.1)
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
  expect(cpuSeconds(child.pid!)).toBeNull()
})
