import { render } from 'preact'
import { followLinks } from '../ui/navigation.ts'
import { App } from './app.tsx'
import { followTheme } from './theme.ts'
import '../ui/tokens.css'
import '../ui/ui.css'
import './app.css'

followTheme()
followLinks()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
