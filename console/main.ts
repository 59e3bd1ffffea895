import { render } from 'preact'
import { App } from './app.ts'
import { startLive } from './data/live.ts'
import { startRouting } from './data/route.ts'
import { html } from './html.ts'

startRouting()
startLive()
render(html`<${App} />`, document.getElementById('app')!)
