import { Group } from '@mantine/core'
import { useState } from 'react'
import { listListings } from '../../api/listings.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { Line } from '../../components/line.tsx'
import { Named } from '../../components/table/list.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './marketplace.module.css'
import { marketTexts } from './texts.ts'

const pageSize = 100

const texts = defineTexts({
  empty: [
    'Nothing is published yet. A module is a web service with an OpenAPI 2.0 file; publish it ' +
      'by that file, or by its URL.',
    'Es ist noch nichts veröffentlicht. Ein Modul ist ein Webdienst mit einer ' +
      'OpenAPI-2.0-Datei; veröffentlichen Sie es mit dieser Datei oder deren URL.',
  ],
  earlier: ['Earlier ones', 'Frühere'],
  later: ['Later ones', 'Spätere'],
  problems: (count: number) => [
    `${count} ${count === 1 ? 'problem' : 'problems'}`,
    `${count} ${count === 1 ? 'Mangel' : 'Mängel'}`,
  ],
})

/** The listings of the business, and the public ones. */
export function ListingsView() {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const [offset, setOffset] = useState(0)
  const listings = useRead('listings', listListings, [{ limit: pageSize, offset }], {
    keepsBefore: true,
  })
  const count = listings.data?.length ?? 0
  return (
    <ListPane
      title={market.listings}
      query={listings}
      itemKey={({ id }) => id}
      none={offset === 0 ? t.empty : undefined}
      columns={[
        [
          market.name,
          ({ id, name, version }) => (
            <Named
              name={
                <PageLink
                  to="/marketplace/listings/$listing"
                  params={{ listing: id }}
                  className={styles.name}
                  text={name}
                />
              }
              of={version}
            />
          ),
        ],
        [
          market.served,
          ({ base, visibility, own, problems }) => (
            <>
              {base}
              <Line>
                <Badge
                  tone={visibility === 'public' ? 'note' : 'quiet'}
                  text={market[visibility]}
                />
                {own && <Badge tone="quiet" text={market.own} />}
                {problems.length > 0 && (
                  <Badge tone="care" icon="warning" text={t.problems(problems.length)} />
                )}
              </Line>
            </>
          ),
        ],
        [market.published, ({ publishedAt }) => <Age at={publishedAt} />],
      ]}
    >
      {(offset > 0 || count === pageSize) && (
        <Group mt="xs" gap="xs">
          <Action
            text={t.earlier}
            disabled={offset === 0}
            onClick={() => setOffset(offset - pageSize)}
          />
          <Action
            text={t.later}
            disabled={count < pageSize}
            onClick={() => setOffset(offset + pageSize)}
          />
        </Group>
      )}
    </ListPane>
  )
}
