import { expect, test } from 'vitest'
import { clientAddress } from '../../../api/server/client-address.ts'

const TRUSTED = ['10.0.0.0/8', '2001:db8:ffff::/48', '127.0.0.1']
const PROXY = '10.0.0.1'

test.each<[string, string, Record<string, string>, string]>([
  ['no proxy is trusted', '203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }, '203.0.113.9'],
  ['no header', PROXY, {}, PROXY],
  ['one proxy', PROXY, { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
  ['a proxy as a dual-stack socket shows it', '::ffff:10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
  ['two proxies', PROXY, { 'x-forwarded-for': '198.51.100.1, 10.0.0.2' }, '198.51.100.1'],
  ['an invented address before it', PROXY, { 'x-forwarded-for': '192.0.2.66, 198.51.100.1, 10.0.0.2' }, '198.51.100.1'],
  ['an invented trusted one before it', PROXY, { 'x-forwarded-for': '10.9.9.9, 198.51.100.1' }, '198.51.100.1'],
  ['all are trusted', PROXY, { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, '10.0.0.3'],
  ['a port', PROXY, { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
  ['v6 in brackets', PROXY, { 'x-forwarded-for': '[2001:db8::9]:4711' }, '2001:db8::9'],
  ['Forwarded', PROXY, { forwarded: 'for=198.51.100.1;proto=https;by=10.0.0.1' }, '198.51.100.1'],
  [
    'Forwarded, quoted v6, two',
    PROXY,
    { forwarded: 'proto=https;For="[2001:db8::9]:80", for=10.0.0.2' },
    '2001:db8::9',
  ],
  ['an entry that hides the client', PROXY, { forwarded: 'for=198.51.100.1, for=_hidden' }, PROXY],
  ['no address', PROXY, { 'x-forwarded-for': 'evil' }, PROXY],
  ['both, equal', PROXY, { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' }, '198.51.100.1'],
  ['both, one of them passed on', PROXY, { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=192.0.2.66' }, PROXY],
])('%s', (_what, remote, headers, expected) => {
  expect(clientAddress(remote, headers, TRUSTED)).toBe(expected)
  expect(clientAddress(remote, headers, [])).toBe(remote)
})
