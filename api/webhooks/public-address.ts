import { BlockList, isIP } from 'node:net'

/** Ranges of IPv4 that are not public: RFC 6890 and its successors, and the address of one cloud's metadata. */
const CLOSED_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Ranges within 2000::/3 that are not public, or that carry an IPv4 address: 6to4 and Teredo. */
const CLOSED_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const closed_v4 = new BlockList()
for (const [address, prefix] of CLOSED_V4) closed_v4.addSubnet(address, prefix, 'ipv4')
const closed_v6 = new BlockList()
for (const [address, prefix] of CLOSED_V6) closed_v6.addSubnet(address, prefix, 'ipv6')
/** Global unicast: everything else of IPv6 is local, mapped, translated, multicast or reserved. */
const global_v6 = new BlockList()
global_v6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closed_v4.check(address, 'ipv4')
  if (version !== 6 || address.includes('%')) return false
  return global_v6.check(address, 'ipv6') && !closed_v6.check(address, 'ipv6')
}
