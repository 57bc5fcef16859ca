import { listModules } from '../../api/modules.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { LinkAction } from '../../components/controls/link-action.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Named } from '../../components/table/list.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { useLive } from '../../ui/live-queries.ts'
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
    <ListPane
      title={market.modules}
      query={modules}
      itemKey={({ id }) => id}
      columns={[
        [
          market.name,
          ({ id, name, info }) => (
            <Named
              name={
                <PageLink
                  to="/marketplace/modules/$module"
                  params={{ module: id }}
                  className={styles.name}
                  text={name}
                />
              }
              of={firstLine(info.description ?? '')}
            />
          ),
        ],
        [
          market.served,
          ({ url, complaints }) => (
            <>
              {url ?? market.builtin}
              {complaints.length > 0 && (
                <Line>
                  <Badge tone="care" icon="warning" text={t.complaints(complaints.length)} />
                </Line>
              )}
            </>
          ),
        ],
        [t.added, ({ url, createdAt }) => url !== null && <Age at={createdAt} />],
      ]}
    >
      {modules.data?.length === 1 && (
        <>
          <NextStep>{t.onlyBuiltin}</NextStep>
          <LinkAction text={t.open} to="/marketplace/{-$view}" params={{ view: 'listings' }} />
        </>
      )}
    </ListPane>
  )
}

const lineMax = 140

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line
}
