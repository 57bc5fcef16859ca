import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './frame/app.tsx'
import { createSessions } from './ui/session.tsx'
import { theme, variables } from './ui/theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element for the page')

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <App sessions={createSessions(window.localStorage)} origin={window.location.origin} />
    </MantineProvider>
  </StrictMode>,
)
