using System;
using System.Threading.Tasks;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Containers;

public sealed class MayflyContainer : IAsyncDisposable
{
    private readonly IContainer _container = new ContainerBuilder("ghcr.io/OWNER/mayfly:0.1")
        .WithPortBinding(2525, true)
        .WithPortBinding(8080, true)
        .WithWaitStrategy(Wait.ForUnixContainer()
            .UntilHttpRequestIsSucceeded(request => request.ForPort(8080).ForPath("/readyz")))
        .Build();

    public Task StartAsync() => _container.StartAsync();

    public Uri Url => new Uri($"http://{_container.Hostname}:{_container.GetMappedPublicPort(8080)}");

    public string SmtpHost => _container.Hostname;

    public int SmtpPort => _container.GetMappedPublicPort(2525);

    public ValueTask DisposeAsync() => _container.DisposeAsync();
}
