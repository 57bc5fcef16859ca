import 'graphiql/style.css'
import './page.css'
import { createRoot } from 'react-dom/client'
import { createSessions } from '../ui/session.tsx'
import { withTexts } from '../ui/texts.ts'
import { Page } from './page.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('graphiql.html has no element for the page')

/** The session of the console in this tab, or the place for an API token. */
const { session } = createSessions(window.localStorage).current()
const authorization = session ? `token ${session.token}` : 'Automation <API token>'

const firstQuery = `# The headers hold the credential: a session of the console, or an API token.
query Assets {
  assetCount
  assets(pagination: { limit: 20 }) {
    id
    name
    status {
      level
    }
  }
}
`

await withTexts()
createRoot(root).render(
  <Page
    authorization={session && authorization}
    defaultQuery={firstQuery}
    defaultHeaders={JSON.stringify({ Authorization: authorization }, null, 2)}
  />,
)
