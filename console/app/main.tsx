import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './frame/app.tsx'
import { createSessions } from './ui/session.tsx'
import { theme, variables } from './ui/theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element for the page')

// The provider writes all variables: a style sheet of them would have those of the theme twice.
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
    >
      <App sessions={createSessions(window.localStorage)} origin={window.location.origin} />
    </MantineProvider>
  </StrictMode>,
)
