import { render } from 'preact'
import { isGerman, locale, t } from '../strings/strings.ts'
import { followLinks } from '../ui/navigation.ts'
import { App } from './app.tsx'
import '../ui/tokens.css'
import '../ui/ui.css'
import './app.css'

if (isGerman) {
  // A page whose texts did not arrive speaks English.
  await import('../strings/german.ts').then(({ speakGerman }) => speakGerman(t)).catch(() => undefined)
}
document.documentElement.lang = locale
followLinks()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
