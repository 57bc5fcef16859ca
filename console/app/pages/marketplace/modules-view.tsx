import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { listModules, type Module } from '../../api/modules.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { useLive } from '../../ui/live.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './marketplace.module.css'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  onlyBuiltin: [
    'Only the functions of the platform are used. Choose a module among the listings, or ' +
      'publish one of your own.',
    'Bisher werden nur die Funktionen der Plattform genutzt. Wählen Sie ein Modul aus den ' +
      'Angeboten, oder veröffentlichen Sie ein eigenes.',
  ],
  open: ['Open the listings', 'Zu den Angeboten'],
  complaints: (count: number) => [
    `${count} ${count === 1 ? 'complaint' : 'complaints'}`,
    `${count} ${count === 1 ? 'Beanstandung' : 'Beanstandungen'}`,
  ],
  added: ['Added', 'Hinzugefügt'],
})

/** The modules that the business uses, the built-in one first. */
export function ModulesView() {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const modules = useLive(['modules'], listModules)
  return (
    <Pane title={market.modules} query={modules}>
      {(all) => (
        <>
          <Table heads={[market.name, market.served, t.added]} narrow="stacked">
            {all.map((module) => (
              <Row key={module.id} module={module} />
            ))}
          </Table>
          {all.length === 1 && (
            <>
              <NextStep>{t.onlyBuiltin}</NextStep>
              <Button
                renderRoot={(props) => (
                  <Link to="/marketplace/{-$view}" params={{ view: 'listings' }} {...props} />
                )}
                variant="default"
                size="xs"
                mt="xs"
              >
                {t.open}
              </Button>
            </>
          )}
        </>
      )}
    </Pane>
  )
}

function Row({ module }: { readonly module: Module }) {
  const { id, name, url, info, complaints, createdAt } = module
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  return (
    <tr>
      <td>
        <Anchor
          size="sm"
          className={styles.name}
          renderRoot={(props) => (
            <Link to="/marketplace/modules/$module" params={{ module: id }} {...props} />
          )}
        >
          {name}
        </Anchor>
        {info.description !== undefined && (
          <Faint>
            <span className={styles.name}>{firstLine(info.description)}</span>
          </Faint>
        )}
      </td>
      <td data-label={market.served}>
        {url ?? market.builtin}
        {complaints.length > 0 && (
          <Line>
            <Badge tone="care" icon="warning" text={t.complaints(complaints.length)} />
          </Line>
        )}
      </td>
      <td>{url !== null && <Age at={createdAt} />}</td>
    </tr>
  )
}

const lineMax = 140

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line
}
