import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import { MantineProvider } from '@mantine/core'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './frame/app.tsx'
import { MissingTexts } from './frame/missing-texts.tsx'
import { createSessions } from './ui/session.tsx'
import { withTexts } from './ui/texts.ts'
import { theme, variables } from './ui/theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element for the page')

const page = createRoot(root)
const app = <App sessions={createSessions(window.localStorage)} origin={window.location.origin} />
show(null)
void withTexts().then(() => show(app))

// The provider writes all variables: a style sheet of them would have those of the theme twice.
function show(shown: ReactNode): void {
  page.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        deduplicateCssVariables={false}
        defaultColorScheme="auto"
      >
        <MissingTexts />
        {shown}
      </MantineProvider>
    </StrictMode>,
  )
}
