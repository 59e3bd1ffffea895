// Where a thread that recovers signers begins: loads TypeScript through tsx, then hands over to recover-worker.ts.
import { register } from 'tsx/esm/api'

register()
await import('./recover-worker.ts')
