/**
 * Returns the reliability lanes with their full counts, in the order in which they run: a name, the script of package.json, its options.
 * @param quick  a hundredth of each count, to try the lanes themselves
 */
export function reliabilityLanes(quick) {
  const count = (full) => String(quick ? Math.max(1, Math.ceil(full / 100)) : full)
  const load = ['--seconds', quick ? '10' : '300', '--rate', quick ? '100' : '1000']
  const streams = ['--private-streams', '--public-streams'].flatMap((kind) => [kind, count(1000)])
  return [
    { name: 'rel:sim', script: 'rel:sim', options: ['--orders', count(10_000_000), '--seeds', count(1000)] },
    { name: 'sec:sig', script: 'sec:sig', options: ['--count', count(100_000), '--wallets', count(2000)] },
    { name: 'sec:replay', script: 'sec:replay', options: ['--count', count(20_000)] },
    { name: 'sec:fuzz', script: 'sec:fuzz', options: ['--cases', count(500_000), '--frames', count(20_000)] },
    { name: 'sec:schema', script: 'sec:schema', options: ['--cases', count(10_000)] },
    { name: 'sec:hostile', script: 'sec:hostile', options: ['--seconds', quick ? '5' : '60'] },
    { name: 'rel:idem', script: 'rel:idem', options: ['--requests', count(20_000)] },
    { name: 'rel:elle', script: 'rel:elle', options: ['--operations', count(20_000)] },
    {
      name: 'rel:elle-kills',
      script: 'rel:elle',
      options: ['--operations', count(10_000), '--kills', quick ? '2' : '100'],
    },
    { name: 'rel:model', script: 'rel:model', options: ['--commands', count(100_000)] },
    { name: 'rel:asof', script: 'rel:asof', options: ['--comparisons', count(25_000)] },
    { name: 'rel:maker', script: 'rel:maker', options: ['--seconds', count(3600)] },
    { name: 'rel:replay', script: 'rel:replay', options: [] },
    { name: 'rel:kill', script: 'rel:kill', options: ['--kills', count(1000)] },
    { name: 'rel:day', script: 'rel:day', options: ['--kills', quick ? '4' : '50', '--orders', quick ? '40' : '240'] },
    {
      name: 'rel:flows',
      script: 'rel:flows',
      options: ['--acts', quick ? '1' : '8', '--levels', '100', '--live', quick ? '7' : '17'],
    },
    { name: 'load', script: 'load', options: load },
    { name: 'load-streams', script: 'load', options: [...streams, '--settle', ...load] },
  ]
}
