import { Paper, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../components/icon.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { navigationTexts, parts } from '../../frame/navigation.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { useTexts } from '../../ui/texts.ts'

/** The first page: the parts of the console. */
export function OverviewPage() {
  const t = useTexts(navigationTexts)
  const { permissions } = useSignedIn().caller
  const shown = parts.filter(
    (part) =>
      part.path !== '/' && (part.permissions ?? []).some((one) => permissions.includes(one)),
  )
  return (
    <>
      <PageHead title={t.overview} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {shown.map((part) => (
          <Paper key={part.path} component={Link} to={part.path} withBorder p="md">
            <Icon name={part.icon} /> <Text span>{t[part.name]}</Text>
          </Paper>
        ))}
      </SimpleGrid>
    </>
  )
}
