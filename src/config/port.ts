import type { Settings } from './assemble.ts';

/** The settings with the port of `--port`. Links get it, too, if `siteUrl` has the port of `server.port`. */
export function withPort(settings: Settings, port: number | null): Settings {
  if (port === null) return settings;
  const { server } = settings;
  const links = new URL(server.siteUrl);
  const siteUrl = links.port === String(server.port) ? server.siteUrl.replace(/:\d+$/, `:${port}`) : server.siteUrl;
  return { ...settings, server: { ...server, port, siteUrl } };
}
