import { Code } from '@mantine/core'
import type { Preview } from '../../../api/notifications.ts'
import { Badge } from '../../../components/badge.tsx'
import { shownJson } from '../../../components/json-field.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import styles from './preview.module.css'
import { previewTexts } from './preview-texts.ts'

/** The previews on devices; channels that show the same are one. */
export function PreviewCards({ channels }: { readonly channels: readonly Preview[] }) {
  const groups = Map.groupBy(channels, ({ shown, refused }) => JSON.stringify(shown ?? refused))
  return (
    <div className={styles.cards}>
      {[...groups].map(([key, [first, ...others]]) =>
        first === undefined ? null : <Card key={key} preview={first} others={others} />,
      )}
    </div>
  )
}

type Props = { readonly preview: Preview; readonly others: readonly Preview[] }

function Card({ preview, others }: Props) {
  const t = useTexts(previewTexts)
  const { channel, refused, shown } = preview
  const name = [channel, ...others.map((one) => one.channel)].join(', ')
  return (
    <section className={styles.card} aria-label={name}>
      <Line ends>
        <strong>{name}</strong>
        <Size preview={preview} />
      </Line>
      {refused !== undefined && (
        <>
          <Badge tone="care" icon="warning" text={t.refused} />
          <p className={styles.text}>{refused}</p>
        </>
      )}
      {shown !== undefined && <Phone shown={shown} />}
      {preview.body !== undefined && (
        <details>
          <summary>{t.payload}</summary>
          <Code block className={styles.payload}>
            {shownJson(preview.body)}
          </Code>
        </details>
      )}
    </section>
  )
}

/** The banner of a phone, and what its application has beside it. */
function Phone({ shown }: { readonly shown: NonNullable<Preview['shown']> }) {
  const t = useTexts(previewTexts)
  const { by, title, body, sound } = shown
  const data = shown.data as Readonly<Record<string, unknown>>
  return (
    <>
      <div className={styles.banner}>
        {title !== null && <p className={styles.title}>{title}</p>}
        {body !== null && <p className={styles.text}>{body}</p>}
        {title === null && body === null && <Faint>{t.silent}</Faint>}
      </div>
      {by === 'application' && <Faint>{t.byApplication}</Faint>}
      {sound !== null && <Faint>{t.sound(sound)}</Faint>}
      {Object.keys(data).length > 0 && (
        <dl className={styles.data}>
          {Object.entries(data).map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

function Size({ preview: { size, max, unit, fits, segments, encoding } }: Pick<Props, 'preview'>) {
  const t = useTexts(previewTexts)
  const language = useLanguage()
  if (size === undefined || max === undefined || unit === undefined) return null
  const used = t.size(size.toLocaleString(language), max.toLocaleString(language), unit)
  const sms = segments === undefined ? '' : `, ${t.segments(segments, encoding ?? '')}`
  if (fits !== false) return <Faint inline>{`${used}${sms}`}</Faint>
  return <Badge tone="bad" icon="warning" text={`${used}${sms}`} />
}
