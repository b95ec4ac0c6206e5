# Mayfly's image, for amd64 and arm64 (docs/ci.md). The build runs once, on the build machine's architecture: only
# LMDB's package depends on it. packages/server/test/container/ runs these steps without a container engine.

# Installs production packages in the locked versions, in a layer that only a changed package.json or lock file
# invalidates. npm silently skips packages for another architecture, so this checks that LMDB's folder exists. It also
# checks that all packages are in the folder that the image contains, and removes npm's link to the workspace.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS packages
ARG TARGETARCH
WORKDIR /packages
COPY package.json package-lock.json ./
COPY packages/server/package.json packages/server/
RUN case "$TARGETARCH" in amd64) cpu=x64 ;; *) cpu="$TARGETARCH" ;; esac && \
    npm ci --workspace mayfly-inbox --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc && \
    test -d "node_modules/@lmdb/lmdb-linux-$cpu" && \
    test ! -e packages/server/node_modules && \
    rm node_modules/mayfly-inbox

FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/mail/package.json packages/mail/
COPY packages/mcp/package.json packages/mcp/
COPY packages/protocol/package.json packages/protocol/
COPY plugins/failure-simulation/package.json plugins/failure-simulation/
COPY plugins/mail-check/package.json plugins/mail-check/
COPY plugins/mail-import/package.json plugins/mail-import/
COPY plugins/mailhog/package.json plugins/mailhog/
COPY plugins/mailpit/package.json plugins/mailpit/
COPY plugins/send-apis/package.json plugins/send-apis/
COPY plugins/sms/package.json plugins/sms/
COPY plugins/shared/package.json plugins/shared/
COPY packages/server/package.json packages/server/
COPY packages/store-redis/package.json packages/store-redis/
COPY packages/web/package.json packages/web/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Builds and unpacks the npm package, whose files the image contains.
RUN npm run --silent build && \
    npm pack --workspace mayfly-inbox --pack-destination /tmp && \
    mkdir -p /rootfs/app/node_modules/mayfly-inbox && \
    tar --extract --file /tmp/mayfly-inbox-*.tgz --strip-components=1 --no-same-owner --directory /rootfs/app/node_modules/mayfly-inbox

# Adds the command for "docker exec NAME mayfly wait ADDRESS", because the image has no shell and no /usr/bin/env.
RUN mkdir -p /rootfs/usr/local/bin && \
    printf '#!/nodejs/bin/node\nrequire("/app/node_modules/mayfly-inbox/bin/mayfly.js");\n' > /rootfs/usr/local/bin/mayfly && \
    chmod 755 /rootfs/usr/local/bin/mayfly

# The image's user can write to the folder, and so can a user without a group, which Docker puts into group 0.
RUN mkdir -p /volume/data && chmod 770 /volume/data

FROM gcr.io/distroless/nodejs24-debian13:nonroot
# The release workflow adds labels for the version and the revision.
LABEL org.opencontainers.image.title="Mayfly" \
      org.opencontainers.image.description="Disposable inboxes for automated tests: mail in over SMTP, codes and links out over HTTP." \
      org.opencontainers.image.url="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.source="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.documentation="https://github.com/OWNER/mayfly/blob/main/docs/ci.md" \
      org.opencontainers.image.licenses="MIT"
COPY --from=packages --chown=0:0 /packages/node_modules/ /app/node_modules/
COPY --from=build --chown=0:0 /rootfs/ /
# Copies the parent of the data folder, because only then does the data folder keep its mode.
COPY --from=build --chown=65532:0 /volume/ /
# Listens on all addresses, because published ports need that.
# Without the MALLOC settings, fragmentation in glibc doubles the memory held for slow readers (D47).
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=262144 \
    MAYFLY_HOST=0.0.0.0 \
    MAYFLY_DOMAIN=* \
    MAYFLY_STORE=lmdb:/data
USER 65532:65532
VOLUME /data
EXPOSE 2525 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --start-interval=0.5s --retries=3 CMD ["/usr/local/bin/mayfly", "healthy"]
ENTRYPOINT ["/usr/local/bin/mayfly"]
CMD ["serve"]
