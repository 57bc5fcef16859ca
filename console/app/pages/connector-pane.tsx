import { Paper, Tabs, Title } from '@mantine/core'
import type { Connector } from '../api/connectors.ts'
import pane from '../components/pane.module.css'
import { useSelection } from '../ui/selection.ts'
import styles from './connector-pane.module.css'
import { LogView } from './log-view.tsx'
import { ResourcesView } from './resources-view.tsx'
import { SettingsView } from './settings-view.tsx'

const views = [
  { view: 'log', title: 'Log', View: LogView },
  { view: 'resources', title: 'Resources', View: ResourcesView },
  { view: 'settings', title: 'Settings', View: SettingsView },
] as const

/** The selected connector: its log and its settings. */
export function ConnectorPane({ connector }: { readonly connector: Connector }) {
  const [selection, choose] = useSelection()
  const chosen = views.find(({ view }) => view === selection.view) ?? views[0]
  return (
    <Paper
      component="section"
      aria-labelledby="connector"
      withBorder
      p="md"
      className={`${pane.pane} ${styles.pane}`}
    >
      <Title order={3} size="h5" id="connector" className={pane.title} mb="xs">
        {connector.name}
      </Title>
      <Tabs
        value={chosen.view}
        onChange={(view) => choose({ view: view ?? undefined })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Of the connector" mb="sm">
          {views.map(({ view, title }) => (
            <Tabs.Tab key={view} value={view}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map(({ view, View }) => (
          <Tabs.Panel key={view} value={view}>
            <View connector={connector} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  )
}
