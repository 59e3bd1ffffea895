import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../api/webhooks/public-address.ts'
import { openTarget, type TargetRules } from '../../../api/webhooks/webhook-target.ts'

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07::1'],
  'half.example.com': ['93.184.215.14', '10.0.0.7'],
  'inside.example.com': ['192.168.1.10'],
  'metadata.example.com': ['169.254.169.254'],
  'inside6.example.com': ['fd00::1'],
  localhost: ['127.0.0.1'],
}
const rules = (allowed_hosts: readonly string[] = []): TargetRules => ({
  allowed_hosts,
  resolve: async (host) => ADDRESSES[host] ?? [],
})
const failureOf = async (url: string, allowed: readonly string[] = []) => {
  const target = await openTarget(url, rules(allowed))
  return 'failure' in target ? target.failure : target.address
}

test.each([
  ['https://hooks.example.com/a?b=c', '93.184.215.14'],
  ['https://hooks.example.com:8443/', '93.184.215.14'],
  ['https://hooks.example.com./', '93.184.215.14'],
  ['https://93.184.215.14/', '93.184.215.14'],
  ['https://[2606:2800:21f:cb07::1]/', '2606:2800:21f:cb07::1'],
])('%s is connected to at %s', async (url, address) => {
  expect(await failureOf(url)).toBe(address)
})

test.each([
  ['http://hooks.example.com/', 'no TLS'],
  ['ftp://hooks.example.com/', 'another scheme'],
  ['https://user@hooks.example.com/', 'a user'],
  ['https://:secret@hooks.example.com/', 'a password'],
  ['https://hooks.example.com/#part', 'a fragment'],
  ['https://hooks.example.com:22/', 'a port of another service'],
  ['https://hooks.example.com:80/', 'a port without TLS'],
  ['https://metadata/', 'no full name'],
  ['https://half.example.com/', 'one address of two is private'],
  ['https://inside.example.com/', 'a name of a private address'],
  ['https://inside6.example.com/', 'a name of a local address'],
  ['https://metadata.example.com/', 'the address of metadata'],
  ['https://127.0.0.1/', 'this machine'],
  ['https://2130706433/', 'this machine as one number'],
  ['https://0x7f.1/', 'this machine, shortened'],
  ['https://0177.0.0.1/', 'this machine in octal'],
  ['https://10.1.2.3/', 'private'],
  ['https://172.16.0.1/', 'private'],
  ['https://192.168.0.1/', 'private'],
  ['https://100.64.0.1/', 'shared by a carrier'],
  ['https://169.254.169.254/', 'metadata'],
  ['https://168.63.129.16/', 'metadata of another cloud'],
  ['https://224.0.0.1/', 'multicast'],
  ['https://255.255.255.255/', 'broadcast'],
  ['https://0.0.0.0/', 'no address'],
  ['https://[::1]/', 'this machine'],
  ['https://[::]/', 'no address'],
  ['https://[::ffff:127.0.0.1]/', 'this machine, mapped'],
  ['https://[::ffff:8.8.8.8]/', 'an address that is mapped'],
  ['https://[64:ff9b::7f00:1]/', 'translated'],
  ['https://[2002:7f00:1::]/', '6to4'],
  ['https://[2001:0:1::1]/', 'Teredo'],
  ['https://[fe80::1]/', 'link-local'],
  ['https://[fc00::1]/', 'unique local'],
  ['https://[fd00:ec2::254]/', 'metadata of IPv6'],
  ['https://[ff02::1]/', 'multicast'],
  ['https://localhost/', 'this machine'],
])('%s is refused: %s', async (url) => {
  expect(await failureOf(url)).toBe('target_refused')
})

test('a name without an address is unresolved', async () => {
  expect(await failureOf('https://absent.example.com/')).toBe('name_unresolved')
})

test.each([
  ['http://localhost:4242/', ['localhost']],
  ['http://127.0.0.1:4242/', ['127.0.0.1']],
  ['http://127.0.0.1:4242/', ['127.0.0.1:4242']],
  ['http://[::1]:4242/', ['::1']],
  ['https://inside.example.com:9000/', ['inside.example.com']],
])('%s is connected to where %j is allowed', async (url, allowed) => {
  expect(await failureOf(url, allowed)).not.toBe('target_refused')
})

test.each([
  ['http://127.0.0.1:4243/', ['127.0.0.1:4242']],
  ['http://127.0.0.2/', ['127.0.0.1']],
  ['http://localhost.example.com/', ['localhost']],
  ['https://user@127.0.0.1/', ['127.0.0.1']],
])('%s is refused where only %j is allowed', async (url, allowed) => {
  expect(await failureOf(url, allowed)).toBe('target_refused')
})

test('the first and last addresses of closed ranges are closed, and their neighbours are not', () => {
  const edges = [
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ] as const
  for (const [before, first, last, after] of edges) {
    expect([before, first, last, after].map(isPublicAddress)).toEqual([true, false, false, true])
  }
  expect(['223.255.255.255', '224.0.0.0', 'nothing', '2a00::1%eth0'].map(isPublicAddress)).toEqual([
    ...[true, false, false, false],
  ])
})
