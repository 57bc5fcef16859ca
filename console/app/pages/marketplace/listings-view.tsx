import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Listing, listListings } from '../../api/listings.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { useRead } from '../../ui/live.ts'
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
  return (
    <Pane title={market.listings} query={listings}>
      {(found) =>
        found.length === 0 && offset === 0 ? (
          <NextStep>{t.empty}</NextStep>
        ) : (
          <>
            <Table heads={[market.name, market.served, market.published]} narrow="stacked">
              {found.map((listing) => (
                <Row key={listing.id} listing={listing} />
              ))}
            </Table>
            {(offset > 0 || found.length === pageSize) && (
              <Group mt="xs" gap="xs">
                <Action
                  text={t.earlier}
                  disabled={offset === 0}
                  onClick={() => setOffset(offset - pageSize)}
                />
                <Action
                  text={t.later}
                  disabled={found.length < pageSize}
                  onClick={() => setOffset(offset + pageSize)}
                />
              </Group>
            )}
          </>
        )
      }
    </Pane>
  )
}

function Row({ listing }: { readonly listing: Listing }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const { id, own, name, visibility, version, base, problems, publishedAt } = listing
  return (
    <tr>
      <td>
        <Anchor
          size="sm"
          className={styles.name}
          renderRoot={(props) => (
            <Link to="/marketplace/listings/$listing" params={{ listing: id }} {...props} />
          )}
        >
          {name}
        </Anchor>
        <Faint>{version}</Faint>
      </td>
      <td data-label={market.served}>
        {base}
        <Line>
          <Badge tone={visibility === 'public' ? 'note' : 'quiet'} text={market[visibility]} />
          {own && <Badge tone="quiet" text={market.own} />}
          {problems.length > 0 && (
            <Badge tone="care" icon="warning" text={t.problems(problems.length)} />
          )}
        </Line>
      </td>
      <td>
        <Age at={publishedAt} />
      </td>
    </tr>
  )
}
