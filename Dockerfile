# Mayfly's image, for amd64 and arm64 (docs/ci.md): the executable on a base with glibc and nothing else. The build runs on
# the build machine's architecture. packages/server/test/container/ runs these steps without a container engine.

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
RUN npm run --silent build

# The image has the native part of LMDB where the executable looks for it, because containers have no writable cache folder.
# On another architecture than the build machine's, the executable has no compiled code, and starts more slowly.
ARG TARGETARCH
RUN case "$TARGETARCH" in amd64) target=linux-x64 ;; *) target="linux-$TARGETARCH" ;; esac && \
    node tools/build-executable.js --target "$target" && \
    mkdir -p /rootfs/usr/local/bin /rootfs/usr/local/lib/mayfly /rootfs/usr/share/doc/mayfly && \
    cp "packages/server/executable/dist/$target/mayfly" /rootfs/usr/local/bin/ && \
    cp "packages/server/executable/dist/$target/LICENSES.txt" /rootfs/usr/share/doc/mayfly/copyright && \
    cp "node_modules/.cache/executable/$target/work/assets/native"/* /rootfs/usr/local/lib/mayfly/ && \
    chmod 755 /rootfs/usr/local/lib/mayfly/*

# The image's user can write to the folder, and so can a user without a group, which Docker puts into group 0.
RUN mkdir -p /volume/data && chmod 770 /volume/data

FROM gcr.io/distroless/cc-debian13:nonroot
# The release workflow adds labels for the version and the revision.
LABEL org.opencontainers.image.title="Mayfly" \
      org.opencontainers.image.description="Disposable inboxes for automated tests: mail in over SMTP, codes and links out over HTTP." \
      org.opencontainers.image.url="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.source="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.documentation="https://github.com/OWNER/mayfly/blob/main/docs/ci.md" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build --chown=0:0 /rootfs/ /
# Copies the parent of the data folder, because only then does the data folder keep its mode.
COPY --from=build --chown=65532:0 /volume/ /
# Listens on all addresses, because published ports need that.
# Without the MALLOC settings, fragmentation in glibc doubles the memory held for slow readers (D47).
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=262144 \
    MAYFLY_HOST=0.0.0.0 \
    MAYFLY_DOMAIN=* \
    MAYFLY_STORE=lmdb:/data \
    XDG_CACHE_HOME=/usr/local/lib
USER 65532:65532
VOLUME /data
EXPOSE 2525 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --start-interval=0.5s --retries=3 CMD ["/usr/local/bin/mayfly", "healthy"]
ENTRYPOINT ["/usr/local/bin/mayfly"]
CMD ["serve"]
