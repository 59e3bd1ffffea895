// Where the thread that keeps payloads begins: loads TypeScript through tsx, then hands over to keeper-worker.ts.
import { register } from 'tsx/esm/api'

register()
await import('./keeper-worker.ts')
